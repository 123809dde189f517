// Modules, classes and functions by id.
// $ids: list; ids of the nodes
UNWIND $ids AS id MATCH (n:Module {id: id}) RETURN n AS node
UNION ALL
UNWIND $ids AS id MATCH (n:Class {id: id}) RETURN n AS node
UNION ALL
UNWIND $ids AS id MATCH (n:Function {id: id}) RETURN n AS node
