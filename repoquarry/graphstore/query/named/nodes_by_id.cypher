// Nodes of any label by id.
// $ids: list; ids of the nodes
UNWIND $ids AS id MATCH (n:Repository {id: id}) RETURN n AS node
UNION ALL
UNWIND $ids AS id MATCH (n:Directory {id: id}) RETURN n AS node
UNION ALL
UNWIND $ids AS id MATCH (n:Module {id: id}) RETURN n AS node
UNION ALL
UNWIND $ids AS id MATCH (n:Class {id: id}) RETURN n AS node
UNION ALL
UNWIND $ids AS id MATCH (n:Function {id: id}) RETURN n AS node
UNION ALL
UNWIND $ids AS id MATCH (n:Variable {id: id}) RETURN n AS node
UNION ALL
UNWIND $ids AS id MATCH (n:Document {id: id}) RETURN n AS node
UNION ALL
UNWIND $ids AS id MATCH (n:Package {id: id}) RETURN n AS node
UNION ALL
UNWIND $ids AS id MATCH (n:External {id: id}) RETURN n AS node
UNION ALL
UNWIND $ids AS id MATCH (n:Name {id: id}) RETURN n AS node
