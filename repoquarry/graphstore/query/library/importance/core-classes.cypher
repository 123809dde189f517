// Core classes.
// $repository: string = ""; id of the repository, empty for all
MATCH (c:Class)
WHERE c.is_core AND ($repository = '' OR c.repository = $repository)
RETURN c.path AS path, c.qualname AS name, c.importance AS importance ORDER BY importance DESC, path, name
