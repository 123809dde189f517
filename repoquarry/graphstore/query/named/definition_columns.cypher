// All modules, classes and functions of a repository, property by property.
// $repository: string; id of the repository
MATCH (n:Module) WHERE n.repository = $repository
RETURN 'Module' AS label, n.id AS id, n.path AS path, n.qualname AS qualname, n.name AS name, n.kind AS kind,
n.start_line AS start_line, n.end_line AS end_line, n.signature AS signature, n.docstring AS docstring,
coalesce(n.purpose, n.summary) AS summary, n.is_test AS is_test, n.importance AS importance, n.calls_in AS calls_in,
n.entry_points AS entry_points, n.is_core AS is_core
UNION ALL
MATCH (n:Class) WHERE n.repository = $repository
RETURN 'Class' AS label, n.id AS id, n.path AS path, n.qualname AS qualname, n.name AS name, n.kind AS kind,
n.start_line AS start_line, n.end_line AS end_line, n.signature AS signature, n.docstring AS docstring,
coalesce(n.purpose, n.summary) AS summary, n.is_test AS is_test, n.importance AS importance, n.calls_in AS calls_in,
n.entry_points AS entry_points, n.is_core AS is_core
UNION ALL
MATCH (n:Function) WHERE n.repository = $repository
RETURN 'Function' AS label, n.id AS id, n.path AS path, n.qualname AS qualname, n.name AS name, n.kind AS kind,
n.start_line AS start_line, n.end_line AS end_line, n.signature AS signature, n.docstring AS docstring,
coalesce(n.purpose, n.summary) AS summary, n.is_test AS is_test, n.importance AS importance, n.calls_in AS calls_in,
n.entry_points AS entry_points, n.is_core AS is_core
