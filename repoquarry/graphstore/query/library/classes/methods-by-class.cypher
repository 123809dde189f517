// Classes with their methods.
// $repository: string = ""; id of the repository, empty for all
MATCH (c:Class)
WHERE $repository = '' OR c.repository = $repository
RETURN c.qualname AS class, COLLECT { MATCH (c)-[:DEFINES]->(f:Function) RETURN f.name ORDER BY f.name } AS methods
ORDER BY class, c.id
