// Shortest call path between two functions.
// $repository: string = ""; id of the repository, empty for all
// $start: string; name of the calling function
// $end: string; name of the called function
MATCH (a:Function), (b:Function)
WHERE a.name = $start AND b.name = $end AND a <> b AND ($repository = '' OR a.repository = $repository)
MATCH p = shortestPath((a)-[:CALLS*..8]->(b))
RETURN a.id AS start, b.id AS finish, length(p) AS calls ORDER BY calls, start, finish
