MATCH (c:Class)-[:DEFINES]->(f:Function)
RETURN c.qualname AS class, count(f) AS methods
ORDER BY methods DESC, class
LIMIT 3
