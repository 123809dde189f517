// Share of documented functions by kind.
// $repository: string = ""; id of the repository, empty for all
MATCH (f:Function)
WHERE $repository = '' OR f.repository = $repository
RETURN f.kind AS kind, count(*) AS n, round(100.0 * count(f.docstring) / count(*), 1) AS percent ORDER BY kind
