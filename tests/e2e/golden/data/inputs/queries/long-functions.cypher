// No function of more than a number of lines.
// rule
// $repository: string = ""; id of the repository, empty for all
// $lines: integer = 3; highest number of lines
MATCH (f:Function)
WHERE f.end_line - f.start_line >= $lines AND ($repository = '' OR f.repository = $repository)
RETURN f.path AS path, f.qualname AS name ORDER BY path, name
