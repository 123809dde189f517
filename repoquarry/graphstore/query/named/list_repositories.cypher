// All repositories with their size and commit.
MATCH (r:Repository)
RETURN r.id AS repository, r.source AS source, r.source_kind AS source_kind, r.commit AS commit, r.files AS files,
       r.lines AS lines, r.languages AS languages, r.summary AS summary, r.revision AS revision
ORDER BY repository
