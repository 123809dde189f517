// No cycle of imports that run while modules are loaded: each row is the import that closes a shortest one, with its length.
// rule
// $repository: string = ""; id of the repository, empty for all
MATCH (a:Module)-[i:IMPORTS]->(b:Module)
WHERE a <> b AND NOT i.type_only AND NOT i.deferred AND ($repository = '' OR a.repository = $repository)
MATCH p = allShortestPaths((b)-[:IMPORTS*..15]->(a))
WITH a, b, p WHERE all(r IN relationships(p) WHERE NOT r.type_only AND NOT r.deferred)
RETURN DISTINCT a.path AS a, b.path AS b, length(p) + 1 AS modules ORDER BY modules, a, b
