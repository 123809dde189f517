// Two or three modules whose imports form a ring while they are loaded, each ring once.
// $repository: string = ""; id of the repository, empty for all
MATCH (a:Module)-[:IMPORTS {type_only: false, deferred: false}]->(b:Module)-[:IMPORTS {type_only: false, deferred: false}]->(a)
WHERE ($repository = '' OR a.repository = $repository) AND a.id < b.id
RETURN [a.path, b.path] AS ring
UNION ALL
MATCH (a:Module)-[:IMPORTS {type_only: false, deferred: false}]->(b:Module)-[:IMPORTS {type_only: false, deferred: false}]->(c:Module)-[:IMPORTS {type_only: false, deferred: false}]->(a)
WHERE ($repository = '' OR a.repository = $repository) AND a.id < b.id AND a.id < c.id AND b.id <> c.id
RETURN [a.path, b.path, c.path] AS ring
