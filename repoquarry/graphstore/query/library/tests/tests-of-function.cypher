// Tests that reach a function within four calls; those that call it themselves first.
// $repository: string = ""; id of the repository, empty for all
// $name: string; name of the function
MATCH (t:Function)-[:CALLS*1..4]->(f:Function)
WHERE t.is_test AND f.name = $name AND ($repository = '' OR f.repository = $repository)
  AND any(entry IN t.entry_points WHERE entry STARTS WITH 'test')
WITH DISTINCT t
WITH t, EXISTS { MATCH (t)-[:CALLS]->(f:Function) WHERE f.name = $name AND ($repository = '' OR f.repository = $repository) } AS direct
RETURN t.path AS path, t.qualname AS test, direct ORDER BY direct DESC, path, test
