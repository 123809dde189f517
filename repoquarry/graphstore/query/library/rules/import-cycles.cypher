// No cycle of imports that run while modules are loaded: each row is the import that closes a shortest one, with its length.
// rule
// $repository: string = ""; id of the repository, empty for all
MATCH (a:Module)-[i:IMPORTS]->(b:Module)
WHERE a <> b AND NOT coalesce(i.type_only OR i.deferred, false) AND ($repository = '' OR a.repository = $repository)
MATCH p = allShortestPaths((b)-[:IMPORTS*..15]->(a))
WITH a, b, p WHERE all(r IN relationships(p) WHERE NOT coalesce(r.type_only OR r.deferred, false))
RETURN DISTINCT a.path AS a, b.path AS b, length(p) + 1 AS modules ORDER BY modules, a, b
