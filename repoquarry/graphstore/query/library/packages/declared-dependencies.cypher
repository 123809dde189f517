// Declared dependencies.
// $repository: string = ""; id of the repository, empty for all
MATCH (r:Repository)-[d:DEPENDS_ON]->(p:Package)
WHERE $repository = '' OR r.id = $repository
RETURN r.name AS repository, p.name AS package, d.requirement AS requirement ORDER BY repository, package
