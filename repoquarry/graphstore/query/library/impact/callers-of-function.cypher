// Direct and indirect callers of a function.
// $repository: string = ""; id of the repository, empty for all
// $name: string; name of the function
MATCH (f:Function)<-[:CALLS*1..4]-(caller)
WHERE f.name = $name AND ($repository = '' OR f.repository = $repository)
RETURN DISTINCT labels(caller)[0] AS kind, caller.path AS path, caller.name AS name ORDER BY path, name, kind
