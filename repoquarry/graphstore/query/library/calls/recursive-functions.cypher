// Recursive functions, by likely calls.
// $repository: string = ""; id of the repository, empty for all
MATCH (f:Function)-[r:CALLS]->(f)
WHERE r.confidence >= 0.5 AND ($repository = '' OR f.repository = $repository)
RETURN f.path AS path, f.qualname AS name, r.lines AS lines ORDER BY path, name, lines
