// Share of documented functions by kind, without tests and lambdas.
// $repository: string = ""; id of the repository, empty for all
MATCH (f:Function)
WHERE NOT f.is_test AND f.kind <> 'lambda' AND ($repository = '' OR f.repository = $repository)
RETURN f.kind AS kind, count(*) AS n, round(100.0 * count(f.docstring) / count(*), 1) AS percent ORDER BY n DESC, kind
