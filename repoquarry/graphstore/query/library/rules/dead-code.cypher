// No function without calls, references, overrides and entry points.
// rule
// $repository: string = ""; id of the repository, empty for all
MATCH (f:Function)
WHERE NOT f.is_test AND f.entry_points IS NULL AND NOT f.name STARTS WITH '__'
  AND ($repository = '' OR f.repository = $repository) AND NOT (f)<-[:CALLS|REFERENCES|OVERRIDES]-()
RETURN f.path AS path, f.start_line AS line, f.qualname AS name ORDER BY path, name
