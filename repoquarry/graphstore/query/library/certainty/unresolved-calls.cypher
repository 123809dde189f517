// Unresolved calls by reason.
// $repository: string = ""; id of the repository, empty for all
MATCH (c)-[u:UNRESOLVED]->(n:Name)
WHERE $repository = '' OR n.repository = $repository
RETURN u.reason AS reason, sum(u.count) AS sites, count(DISTINCT n) AS names ORDER BY sites DESC, reason
