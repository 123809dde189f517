// Methods that override another, with both classes, without tests and constructors.
// $repository: string = ""; id of the repository, empty for all
MATCH (c:Class)-[:DEFINES]->(m:Function)-[:OVERRIDES]->(o:Function)<-[:DEFINES]-(b:Class)
WHERE NOT c.is_test AND m.kind <> 'constructor' AND ($repository = '' OR c.repository = $repository)
RETURN c.path AS path, c.name AS class, m.name AS method, b.name AS base ORDER BY class, method, base, path, m.id
