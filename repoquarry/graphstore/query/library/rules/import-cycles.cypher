// No import cycle: each row is the import that closes one, with the length of the cycle.
// rule
// $repository: string = ""; id of the repository, empty for all
MATCH (a:Module)-[:IMPORTS]->(b:Module)
WHERE a <> b AND ($repository = '' OR a.repository = $repository)
MATCH p = shortestPath((b)-[:IMPORTS*..15]->(a))
RETURN a.path AS a, b.path AS b, length(p) + 1 AS modules ORDER BY modules, a, b
