// Calls, imports and base classes of a repository by the ids of their ends.
// $repository: string; id of the repository
MATCH (a:Function)-[r:CALLS]->(b) WHERE a.repository = $repository
RETURN 'CALLS' AS kind, a.id AS start, b.id AS end, r.confidence AS confidence,
  r.how AS how, r.targets AS targets
UNION ALL
MATCH (a:Class)-[r:CALLS]->(b) WHERE a.repository = $repository
RETURN 'CALLS' AS kind, a.id AS start, b.id AS end, r.confidence AS confidence,
  r.how AS how, r.targets AS targets
UNION ALL
MATCH (a:Module)-[r:CALLS]->(b) WHERE a.repository = $repository
RETURN 'CALLS' AS kind, a.id AS start, b.id AS end, r.confidence AS confidence,
  r.how AS how, r.targets AS targets
UNION ALL
MATCH (a:Module)-[r:IMPORTS]->(b) WHERE a.repository = $repository
RETURN 'IMPORTS' AS kind, a.id AS start, b.id AS end, r.confidence AS confidence,
  null AS how, null AS targets
UNION ALL
MATCH (a:Class)-[r:INHERITS]->(b) WHERE a.repository = $repository
RETURN 'INHERITS' AS kind, a.id AS start, b.id AS end, r.confidence AS confidence,
  null AS how, null AS targets
