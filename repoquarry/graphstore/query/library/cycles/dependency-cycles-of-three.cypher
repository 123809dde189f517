// Dependency cycles of three modules.
// $repository: string = ""; id of the repository, empty for all
MATCH (a:Module)-[:DEPENDS_ON]->(b:Module)-[:DEPENDS_ON]->(c:Module)-[:DEPENDS_ON]->(a)
WHERE a.path < b.path AND a.path < c.path AND ($repository = '' OR a.repository = $repository)
RETURN a.path AS a, b.path AS b, c.path AS c ORDER BY a, b, c
