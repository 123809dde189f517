// Modules that import some modules.
// $ids: list; ids of the nodes
UNWIND $ids AS id
MATCH (b)-[r:IMPORTS]->(a:Module {id: id})
RETURN a.id AS known, b AS other, r.names AS names, r.lines AS lines
