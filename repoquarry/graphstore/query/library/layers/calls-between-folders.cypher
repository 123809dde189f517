// Calls from one top folder into another.
// $repository: string = ""; id of the repository, empty for all
MATCH (a:Function)-[r:CALLS]->(b:Function)
WHERE $repository = '' OR a.repository = $repository
WITH split(a.path, '/')[0] AS from, split(b.path, '/')[0] AS to, sum(r.count) AS sites
WHERE from <> to RETURN from, to, sites ORDER BY sites DESC, from, to
