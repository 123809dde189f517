// Recursive functions.
// $repository: string = ""; id of the repository, empty for all
MATCH (f:Function)-[:CALLS]->(f)
WHERE $repository = '' OR f.repository = $repository
RETURN f.path AS path, f.qualname AS name ORDER BY path, name
