// What some modules, classes or functions use without calling it.
// $ids: list; ids of the nodes
UNWIND $ids AS id
MATCH (a:Function {id: id})-[r:REFERENCES]->(b)
  WHERE b:Function OR b:Class
RETURN a.id AS known, b AS other, r.kind AS kind, r.lines AS lines, r.confidence AS confidence
UNION ALL
UNWIND $ids AS id
MATCH (a:Class {id: id})-[r:REFERENCES]->(b)
  WHERE b:Function OR b:Class
RETURN a.id AS known, b AS other, r.kind AS kind, r.lines AS lines, r.confidence AS confidence
UNION ALL
UNWIND $ids AS id
MATCH (a:Module {id: id})-[r:REFERENCES]->(b)
  WHERE b:Function OR b:Class
RETURN a.id AS known, b AS other, r.kind AS kind, r.lines AS lines, r.confidence AS confidence
