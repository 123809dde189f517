// Modules with the most commits.
// $repository: string = ""; id of the repository, empty for all
MATCH (m:Module)
WHERE m.commits IS NOT NULL AND ($repository = '' OR m.repository = $repository)
RETURN m.path AS path, m.commits AS commits ORDER BY commits DESC, path LIMIT 20
