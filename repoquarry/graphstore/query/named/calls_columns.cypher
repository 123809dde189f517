// All CALLS relationships between definitions of a repository, from the dependent to what it depends on.
// $repository: string; id of the repository
MATCH (a)-[r:CALLS]->(b)
WHERE a.repository = $repository AND b.repository = $repository AND NOT b:External AND NOT b:Variable
RETURN a.id AS start, b.id AS end, r.confidence AS confidence, false AS annotation
