// Packages that repositories provide and depend on, with the repositories that provide the dependencies.
// $repository: string = ""; id of the repository, empty for all
MATCH (n:Repository)-[r:PROVIDES|DEPENDS_ON]->(p:Package) WHERE $repository = '' OR n.id = $repository
OPTIONAL MATCH (other:Repository)-[:PROVIDES]->(p) WHERE other.id <> n.id
RETURN n.id AS repository, type(r) AS relation, p.id AS package, r.requirement AS requirement, other.id AS provided_by
ORDER BY repository, relation, package, coalesce(provided_by, '')
