// Callees named or fitting by type whose confidence is below a bound, without guesses; those of the most call sites first.
// $repository: string = ""; id of the repository, empty for all
// $confidence: float = 0.8; calls below it
MATCH (a)-[r:CALLS]->(b)
WHERE r.confidence < $confidence AND NOT r.how IN ['possible', 'candidate'] AND ($repository = '' OR a.repository = $repository)
RETURN a.id AS caller, b.id AS callee, r.how AS how, r.confidence AS confidence, r.count AS sites
ORDER BY sites DESC, confidence, caller, callee LIMIT 50
