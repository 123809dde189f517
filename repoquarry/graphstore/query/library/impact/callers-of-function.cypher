// Callers of a function, directly or within four calls; direct ones first.
// $repository: string = ""; id of the repository, empty for all
// $name: string; name of the function
MATCH (f:Function)<-[:CALLS*1..4]-(c)
WHERE f.name = $name AND ($repository = '' OR f.repository = $repository)
WITH DISTINCT c
WITH c, EXISTS { MATCH (c)-[:CALLS]->(f:Function) WHERE f.name = $name AND ($repository = '' OR f.repository = $repository) } AS direct
RETURN c.path AS path, coalesce(c.qualname, c.name) AS name, labels(c)[0] AS kind, direct, c.is_test AS is_test
ORDER BY direct DESC, is_test, path, name, kind
