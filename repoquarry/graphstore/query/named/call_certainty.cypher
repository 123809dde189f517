// Call sites of a repository by tests, rule and confidence.
// $repository: string; id of the repository
MATCH (a)-[r:CALLS]->(b) WHERE a.repository = $repository AND NOT b:External
WITH a.is_test AS is_test, r.how AS how, r.confidence AS confidence, sum(r.count) AS count
RETURN is_test, how IN ['dispatch', 'hook', 'possible'] AS possible, confidence >= 0.9 AS confident, sum(count) AS count
