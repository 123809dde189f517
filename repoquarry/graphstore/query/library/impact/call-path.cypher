// Shortest call paths between two functions, with the functions on the way.
// $repository: string = ""; id of the repository, empty for all
// $start: string; name of the calling function
// $end: string; name of the called function
MATCH (a:Function), (b:Function)
WHERE a.name = $start AND b.name = $end AND a <> b AND ($repository = '' OR a.repository = $repository)
MATCH p = allShortestPaths((a)-[:CALLS*..8]->(b))
WITH length(p) AS calls, [n IN nodes(p) | n.qualname] AS way, a.id AS start, b.id AS finish
RETURN calls, way, start, finish ORDER BY calls, start, finish, way LIMIT 50
