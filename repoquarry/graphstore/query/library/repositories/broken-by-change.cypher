// Repositories that a changed signature breaks, with their call sites.
// $name: string; name of the changed function or class
MATCH (d:Function|Class) WHERE d.name = $name
MATCH (d)<-[:PROVIDES]-(e:External)<-[r:CALLS]-(a) WHERE a.repository <> d.repository
RETURN d.id AS definition, a.repository AS repository, sum(r.count) AS sites, count(r) AS callers
ORDER BY sites DESC, definition, repository
