// Call sites of a repository by tests, rule and number of targets.
// $repository: string; id of the repository
MATCH (a)-[r:CALLS]->(b) WHERE a.repository = $repository AND NOT b:External
WITH a.is_test AS is_test, r.how AS how, r.targets AS targets, sum(r.count) AS count
RETURN is_test, how, targets, count
