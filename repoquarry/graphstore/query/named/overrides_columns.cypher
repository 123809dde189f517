// All OVERRIDES relationships between definitions of a repository, from the dependent to what it depends on.
// $repository: string; id of the repository
MATCH (a)-[r:OVERRIDES]->(b)
WHERE a.repository = $repository AND b.repository = $repository AND NOT b:External AND NOT b:Variable
RETURN b.id AS start, a.id AS end, null AS confidence, false AS annotation
