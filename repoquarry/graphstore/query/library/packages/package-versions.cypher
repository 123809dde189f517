// Versions of a package in use.
// $package: string; name of the package
MATCH (r:Repository)-[d:DEPENDS_ON]->(p:Package)
WHERE p.name = $package
RETURN d.requirement AS requirement, d.locked AS locked, count(r) AS repositories, collect(r.id) AS ids
ORDER BY repositories DESC, requirement, locked
