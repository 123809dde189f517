// Functions that no test reaches within three calls, by module, without lambdas and declarations.
// $repository: string = ""; id of the repository, empty for all
MATCH (f:Function)
WHERE NOT f.is_test AND f.kind <> 'lambda' AND NOT f.is_abstract AND ($repository = '' OR f.repository = $repository)
  AND NOT EXISTS { MATCH (t:Function)-[:CALLS*1..3]->(f) WHERE t.is_test }
RETURN f.path AS path, count(*) AS untested ORDER BY untested DESC, path
