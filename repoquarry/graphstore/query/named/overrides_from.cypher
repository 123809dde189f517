// Inherited methods that some methods replace.
// $ids: list; ids of the nodes
UNWIND $ids AS id
MATCH (a:Function {id: id})-[r:OVERRIDES]->(b)
  WHERE b:Function
RETURN a.id AS known, b AS other
