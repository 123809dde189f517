// Repositories that a changed signature breaks, with their call sites.
// $name: string; name of the changed function or class
MATCH (a)-[r:CALLS]->(e:External)-[:PROVIDES]->(d)
WHERE (d:Function OR d:Class) AND d.name = $name AND a.repository <> d.repository
RETURN d.id AS definition, a.repository AS repository, sum(r.count) AS sites, count(r) AS callers
ORDER BY sites DESC, definition, repository
