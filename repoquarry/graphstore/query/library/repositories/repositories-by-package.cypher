// Repositories that use other repositories, by declared packages.
MATCH (a:Repository)-[r:DEPENDS_ON]->(p:Package)<-[:PROVIDES]-(b:Repository) WHERE a.id <> b.id
RETURN a.id AS user, p.name AS package, b.id AS library, r.requirement AS requirement ORDER BY user, package, library
