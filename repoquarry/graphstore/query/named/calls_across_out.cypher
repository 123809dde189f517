// Classes and functions of other repositories that some nodes call.
// $ids: list; ids of the nodes
UNWIND $ids AS id
MATCH (a:Function {id: id})-[r:CALLS]->(e:External)-[:PROVIDES]->(b)
  WHERE b:Function OR b:Class
RETURN a.id AS known, r AS relation, b AS other, e.id AS through,
  r.count AS count, r.lines AS lines,
  r.how AS how, r.confidence AS confidence
UNION ALL
UNWIND $ids AS id
MATCH (a:Class {id: id})-[r:CALLS]->(e:External)-[:PROVIDES]->(b)
  WHERE b:Function OR b:Class
RETURN a.id AS known, r AS relation, b AS other, e.id AS through,
  r.count AS count, r.lines AS lines,
  r.how AS how, r.confidence AS confidence
UNION ALL
UNWIND $ids AS id
MATCH (a:Module {id: id})-[r:CALLS]->(e:External)-[:PROVIDES]->(b)
  WHERE b:Function OR b:Class
RETURN a.id AS known, r AS relation, b AS other, e.id AS through,
  r.count AS count, r.lines AS lines,
  r.how AS how, r.confidence AS confidence
