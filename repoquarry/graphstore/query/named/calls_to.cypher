// What calls some classes or functions.
// $ids: list; ids of the nodes
UNWIND $ids AS id
MATCH (b)-[r:CALLS]->(a:Function {id: id})
RETURN a.id AS known, b AS other, r.count AS count, r.lines AS lines, r.how AS how, r.confidence AS confidence,
  r.targets AS targets
UNION ALL
UNWIND $ids AS id
MATCH (b)-[r:CALLS]->(a:Class {id: id})
RETURN a.id AS known, b AS other, r.count AS count, r.lines AS lines, r.how AS how, r.confidence AS confidence,
  r.targets AS targets
