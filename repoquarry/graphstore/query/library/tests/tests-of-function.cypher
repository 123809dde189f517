// Tests that reach a function.
// $repository: string = ""; id of the repository, empty for all
// $name: string; name of the function
MATCH (t:Function)-[:CALLS*1..4]->(f:Function)
WHERE t.is_test AND f.name = $name AND ($repository = '' OR f.repository = $repository)
RETURN DISTINCT t.path AS path, t.qualname AS test ORDER BY path, test
