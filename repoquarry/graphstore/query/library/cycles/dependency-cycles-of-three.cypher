// Dependency cycles of three modules outside tests, each once.
// $repository: string = ""; id of the repository, empty for all
MATCH (a:Module)-[r:DEPENDS_ON]->(b:Module)-[s:DEPENDS_ON]->(c:Module)-[t:DEPENDS_ON]->(a)
WHERE a.id < b.id AND a.id < c.id AND NOT a.is_test AND NOT b.is_test AND NOT c.is_test
  AND ($repository = '' OR a.repository = $repository)
RETURN a.path AS a, b.path AS b, c.path AS c, round(r.weight + s.weight + t.weight, 2) AS weight
ORDER BY weight DESC, a, b, c
