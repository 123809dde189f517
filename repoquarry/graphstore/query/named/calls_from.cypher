// What some modules, classes or functions call inside the repository.
// $ids: list; ids of the nodes
UNWIND $ids AS id
MATCH (a:Function {id: id})-[r:CALLS]->(b)
  WHERE b:Function OR b:Class
RETURN a.id AS known, b AS other, r.count AS count, r.lines AS lines, r.how AS how, r.confidence AS confidence,
  r.targets AS targets
UNION ALL
UNWIND $ids AS id
MATCH (a:Class {id: id})-[r:CALLS]->(b)
  WHERE b:Function OR b:Class
RETURN a.id AS known, b AS other, r.count AS count, r.lines AS lines, r.how AS how, r.confidence AS confidence,
  r.targets AS targets
UNION ALL
UNWIND $ids AS id
MATCH (a:Module {id: id})-[r:CALLS]->(b)
  WHERE b:Function OR b:Class
RETURN a.id AS known, b AS other, r.count AS count, r.lines AS lines, r.how AS how, r.confidence AS confidence,
  r.targets AS targets
