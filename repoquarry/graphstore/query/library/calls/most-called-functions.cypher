// Most called functions outside tests, by likely calls.
// $repository: string = ""; id of the repository, empty for all
MATCH (f:Function)-[r:CALLS]->(g:Function)
WHERE r.confidence >= 0.5 AND NOT g.is_test AND ($repository = '' OR g.repository = $repository)
RETURN g.path AS path, g.qualname AS name, count(DISTINCT f) AS callers, sum(r.count) AS sites
ORDER BY sites DESC, callers DESC, path, name LIMIT 20
