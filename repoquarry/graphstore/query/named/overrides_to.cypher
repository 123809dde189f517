// Methods that replace some methods in subclasses.
// $ids: list; ids of the nodes
UNWIND $ids AS id MATCH (b)-[r:OVERRIDES]->(a:Function {id: id}) RETURN a.id AS known, b AS other
