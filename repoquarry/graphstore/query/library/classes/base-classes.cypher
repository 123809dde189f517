// Base classes with the most subclasses outside tests.
// $repository: string = ""; id of the repository, empty for all
MATCH (base)<-[:INHERITS]-(c:Class)
WHERE NOT c.is_test AND ($repository = '' OR c.repository = $repository)
WITH base, count(DISTINCT c) AS subclasses
RETURN base.path AS path, base.qualname AS base, labels(base)[0] AS kind, subclasses
ORDER BY subclasses DESC, base, path
