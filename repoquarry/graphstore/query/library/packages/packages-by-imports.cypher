// Packages by the number of modules that import them.
// $repository: string = ""; id of the repository, empty for all
MATCH (m:Module)-[:IMPORTS]->(e:External)
WHERE $repository = '' OR m.repository = $repository
RETURN e.package AS package, count(DISTINCT m) AS modules ORDER BY modules DESC, package
