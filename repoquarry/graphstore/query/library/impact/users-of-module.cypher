// Modules that depend on a module, directly or through another, with the number of ways.
// $repository: string = ""; id of the repository, empty for all
// $path: string; path of the module
MATCH (m:Module)<-[:DEPENDS_ON*1..2]-(user:Module)
WHERE m.path = $path AND user <> m AND ($repository = '' OR m.repository = $repository)
WITH m, user, count(*) AS ways
RETURN user.path AS path, EXISTS { (user)-[:DEPENDS_ON]->(m) } AS direct, ways ORDER BY direct DESC, ways DESC, path
