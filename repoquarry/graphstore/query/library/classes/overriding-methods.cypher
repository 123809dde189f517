// Methods that override another, with both classes.
// $repository: string = ""; id of the repository, empty for all
MATCH (c:Class)-[:DEFINES]->(m:Function)-[:OVERRIDES]->(o:Function)<-[:DEFINES]-(b:Class)
WHERE $repository = '' OR c.repository = $repository
RETURN c.name AS class, m.name AS method, b.name AS base ORDER BY class, method, base, m.id
