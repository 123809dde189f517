// Hot spots: modules that change often and have many branches.
// $repository: string = ""; id of the repository, empty for all
MATCH (m:Module)
WHERE m.commits > 0 AND NOT m.is_test AND ($repository = '' OR m.repository = $repository)
RETURN m.path AS path, m.commits AS commits, m.branches AS branches, m.commits * m.branches AS heat
ORDER BY heat DESC, path LIMIT 20
