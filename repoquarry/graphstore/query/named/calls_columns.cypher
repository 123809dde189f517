// All CALLS between definitions of a repository, from the dependent; up to four targets of a site have their confidence together.
// $repository: string; id of the repository
MATCH (a)-[r:CALLS]->(b)
WHERE a.repository = $repository AND b.repository = $repository AND NOT b:External AND NOT b:Variable
RETURN a.id AS start, b.id AS end,
  CASE WHEN r.how IN ['declared', 'possible', 'candidate'] OR r.targets = 1 THEN r.confidence
       WHEN r.targets > 4 THEN r.confidence * 4 ELSE r.confidence * r.targets END AS confidence,
  false AS annotation, r.how AS how, r.targets AS targets
