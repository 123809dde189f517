// Unresolved calls in some modules, classes or functions.
// $ids: list; ids of the nodes
UNWIND $ids AS id
MATCH (a:Function {id: id})-[r:UNRESOLVED]->(b)
  WHERE b:Name
RETURN a.id AS known, a AS other, b.name AS name, r.count AS count, r.lines AS lines, r.reason AS reason
UNION ALL
UNWIND $ids AS id
MATCH (a:Class {id: id})-[r:UNRESOLVED]->(b)
  WHERE b:Name
RETURN a.id AS known, a AS other, b.name AS name, r.count AS count, r.lines AS lines, r.reason AS reason
UNION ALL
UNWIND $ids AS id
MATCH (a:Module {id: id})-[r:UNRESOLVED]->(b)
  WHERE b:Name
RETURN a.id AS known, a AS other, b.name AS name, r.count AS count, r.lines AS lines, r.reason AS reason
