// Two or three modules that import one another in a ring, each ring once.
// $repository: string = ""; id of the repository, empty for all
MATCH (a:Module)-[:IMPORTS]->(b:Module)-[:IMPORTS]->(a)
WHERE ($repository = '' OR a.repository = $repository) AND a.id < b.id
RETURN [a.path, b.path] AS ring
UNION ALL
MATCH (a:Module)-[:IMPORTS]->(b:Module)-[:IMPORTS]->(c:Module)-[:IMPORTS]->(a)
WHERE ($repository = '' OR a.repository = $repository) AND a.id < b.id AND a.id < c.id AND b.id <> c.id
RETURN [a.path, b.path, c.path] AS ring
