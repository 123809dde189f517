// Modules that some modules import.
// $ids: list; ids of the nodes
UNWIND $ids AS id
MATCH (a:Module {id: id})-[r:IMPORTS]->(b)
  WHERE b:Module
RETURN a.id AS known, b AS other, r.names AS names, r.lines AS lines
