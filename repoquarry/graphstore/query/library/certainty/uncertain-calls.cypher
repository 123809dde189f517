// Calls whose confidence is below a bound.
// $repository: string = ""; id of the repository, empty for all
// $confidence: float = 0.8; calls below it
MATCH (a)-[r:CALLS]->(b)
WHERE r.confidence < $confidence AND ($repository = '' OR a.repository = $repository)
RETURN a.id AS caller, b.id AS callee, r.how AS how, r.confidence AS confidence
ORDER BY confidence, caller, callee LIMIT 50
