// Uses of some modules, classes or functions other than calls and imports.
// $ids: list; ids of the nodes
UNWIND $ids AS id
MATCH (b)-[r:REFERENCES]->(a:Function {id: id}) WHERE r.kind <> 'import'
RETURN a.id AS known, b AS other, r.kind AS kind, r.lines AS lines, r.confidence AS confidence
UNION ALL
UNWIND $ids AS id
MATCH (b)-[r:REFERENCES]->(a:Class {id: id}) WHERE r.kind <> 'import'
RETURN a.id AS known, b AS other, r.kind AS kind, r.lines AS lines, r.confidence AS confidence
UNION ALL
UNWIND $ids AS id
MATCH (b)-[r:REFERENCES]->(a:Module {id: id}) WHERE r.kind <> 'import'
RETURN a.id AS known, b AS other, r.kind AS kind, r.lines AS lines, r.confidence AS confidence
