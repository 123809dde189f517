// Classes that inherit from some classes directly.
// $ids: list; ids of the nodes
UNWIND $ids AS id
MATCH (b)-[r:INHERITS]->(a:Class {id: id})
RETURN a.id AS known, b AS other, r.lines AS lines, r.how AS how, r.confidence AS confidence
