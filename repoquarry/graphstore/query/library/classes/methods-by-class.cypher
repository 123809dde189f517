// Classes outside tests with their methods, those with the most first.
// $repository: string = ""; id of the repository, empty for all
MATCH (c:Class)
WHERE NOT c.is_test AND ($repository = '' OR c.repository = $repository)
RETURN c.path AS path, c.qualname AS class,
       COLLECT { MATCH (c)-[:DEFINES]->(f:Function) WHERE f.kind <> 'lambda' RETURN DISTINCT f.name AS name ORDER BY name } AS methods
ORDER BY c.methods DESC, path, class, c.start_line
