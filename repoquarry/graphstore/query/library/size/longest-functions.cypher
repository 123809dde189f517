// Longest functions.
// $repository: string = ""; id of the repository, empty for all
MATCH (f:Function)
WHERE $repository = '' OR f.repository = $repository
RETURN f.path AS path, f.qualname AS name, f.end_line - f.start_line + 1 AS lines
ORDER BY lines DESC, path, name LIMIT 20
