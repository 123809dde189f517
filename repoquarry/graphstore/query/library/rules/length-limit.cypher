// No function outside tests with more lines than the limit.
// rule
// $repository: string = ""; id of the repository, empty for all
// $lines: integer = 100; highest number of lines
MATCH (f:Function)
WHERE f.end_line - f.start_line >= $lines AND NOT f.is_test AND ($repository = '' OR f.repository = $repository)
RETURN f.path AS path, f.start_line AS line, f.qualname AS name, f.end_line - f.start_line + 1 AS lines
ORDER BY lines DESC, path, name
