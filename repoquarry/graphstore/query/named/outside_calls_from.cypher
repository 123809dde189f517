// External definitions that some modules, classes or functions call.
// $ids: list; ids of the nodes
UNWIND $ids AS id
MATCH (a:Function {id: id})-[r:CALLS]->(b)
  WHERE b:External
RETURN a.id AS known, b.qualname AS name, r.count AS count, r.lines AS lines
UNION ALL
UNWIND $ids AS id
MATCH (a:Class {id: id})-[r:CALLS]->(b)
  WHERE b:External
RETURN a.id AS known, b.qualname AS name, r.count AS count, r.lines AS lines
UNION ALL
UNWIND $ids AS id
MATCH (a:Module {id: id})-[r:CALLS]->(b)
  WHERE b:External
RETURN a.id AS known, b.qualname AS name, r.count AS count, r.lines AS lines
