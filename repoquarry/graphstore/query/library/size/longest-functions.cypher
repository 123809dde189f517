// Longest functions outside tests.
// $repository: string = ""; id of the repository, empty for all
MATCH (f:Function)
WHERE NOT f.is_test AND ($repository = '' OR f.repository = $repository)
RETURN f.path AS path, f.qualname AS name, f.end_line - f.start_line + 1 AS lines
ORDER BY lines DESC, path, name LIMIT 20
