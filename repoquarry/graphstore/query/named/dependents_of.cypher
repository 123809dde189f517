// Modules that depend on some modules, with the weight of the coupling.
// $ids: list; ids of the nodes
UNWIND $ids AS id
MATCH (b)-[r:DEPENDS_ON]->(a:Module {id: id})
RETURN a.id AS known, b AS other, r.weight AS weight
