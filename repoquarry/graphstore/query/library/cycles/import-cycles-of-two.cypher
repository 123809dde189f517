// Import cycles of two modules.
// $repository: string = ""; id of the repository, empty for all
MATCH (a:Module)-[:IMPORTS]->(b:Module)-[:IMPORTS]->(a)
WHERE a.path < b.path AND ($repository = '' OR a.repository = $repository)
RETURN a.path AS a, b.path AS b ORDER BY a, b
