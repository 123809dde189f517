// Packages outside the language's standard library by the number of modules that import them.
// $repository: string = ""; id of the repository, empty for all
MATCH (m:Module)-[:IMPORTS]->(e:External)
WHERE NOT coalesce(e.is_standard, false) AND NOT e.package STARTS WITH '.' AND ($repository = '' OR m.repository = $repository)
RETURN e.package AS package, count(DISTINCT m) AS modules ORDER BY modules DESC, package
