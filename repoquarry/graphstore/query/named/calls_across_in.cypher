// Calls of some classes and functions from other repositories, where they are external.
// $ids: list; ids of the nodes
UNWIND $ids AS id
MATCH (b)-[r:CALLS]->(e:External)-[:PROVIDES]->(a:Function {id: id})
RETURN a.id AS known, r AS relation, b AS other, e.id AS through,
  r.count AS count, r.lines AS lines,
  r.how AS how, r.confidence AS confidence
UNION ALL
UNWIND $ids AS id
MATCH (b)-[r:CALLS]->(e:External)-[:PROVIDES]->(a:Class {id: id})
RETURN a.id AS known, r AS relation, b AS other, e.id AS through,
  r.count AS count, r.lines AS lines,
  r.how AS how, r.confidence AS confidence
