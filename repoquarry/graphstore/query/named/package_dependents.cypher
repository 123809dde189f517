// Repositories that depend on a package that some others provide.
// $repositories: list; ids of the repositories
MATCH (r:Repository)-[:DEPENDS_ON]->(p:Package)<-[:PROVIDES]-(d:Repository) WHERE d.id IN $repositories
RETURN DISTINCT r.id AS repository ORDER BY repository
