// Call sites of a repository by tests, rule and confidence.
// $repository: string; id of the repository
MATCH (a)-[r:CALLS]->(b) WHERE a.repository = $repository AND NOT b:External
RETURN a.is_test AS is_test, r.how = 'possible' AS possible, r.confidence >= 0.9 AS confident, sum(r.count) AS count
