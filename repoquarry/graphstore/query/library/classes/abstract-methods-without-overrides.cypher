// Abstract methods without overrides.
// $repository: string = ""; id of the repository, empty for all
MATCH (f:Function)
WHERE f.is_abstract AND ($repository = '' OR f.repository = $repository) AND NOT EXISTS { (f)<-[:OVERRIDES]-() }
RETURN f.path AS path, f.qualname AS name ORDER BY path, name
