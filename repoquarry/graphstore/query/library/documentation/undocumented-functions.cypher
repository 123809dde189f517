// Undocumented public functions outside tests by module.
// $repository: string = ""; id of the repository, empty for all
MATCH (f:Function)
WHERE f.docstring IS NULL AND NOT f.is_test AND f.kind IN ['function', 'method', 'property'] AND NOT f.name STARTS WITH '_'
  AND ($repository = '' OR f.repository = $repository)
WITH f ORDER BY f.qualname
RETURN f.path AS path, count(*) AS n, collect(f.qualname)[0..5] AS some ORDER BY n DESC, path
