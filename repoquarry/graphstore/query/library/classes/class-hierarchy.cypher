// Class hierarchy outside tests, from each class to its topmost bases.
// $repository: string = ""; id of the repository, empty for all
MATCH p = (c:Class)-[:INHERITS*1..5]->(top)
WHERE NOT c.is_test AND ($repository = '' OR c.repository = $repository) AND NOT (top)-[:INHERITS]->()
RETURN c.path AS path, c.qualname AS class, [n IN nodes(p) | n.name] AS line ORDER BY class, path, line
