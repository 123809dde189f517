// Base classes of some classes, internal and external.
// $ids: list; ids of the nodes
UNWIND $ids AS id
MATCH (a:Class {id: id})-[r:INHERITS]->(b)
  WHERE b:Class OR b:External
RETURN a.id AS known, b AS other, r.position AS position, r.lines AS lines, r.how AS how, r.confidence AS confidence
