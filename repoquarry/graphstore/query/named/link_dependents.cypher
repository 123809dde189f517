// Repositories of which names are linked to code of some others.
// $repositories: list; ids of the repositories
MATCH (e:External)-[:PROVIDES]->(d:Function) WHERE d.repository IN $repositories
RETURN DISTINCT e.repository AS repository
UNION
MATCH (e:External)-[:PROVIDES]->(d:Class) WHERE d.repository IN $repositories
RETURN DISTINCT e.repository AS repository
UNION
MATCH (e:External)-[:PROVIDES]->(d:Module) WHERE d.repository IN $repositories
RETURN DISTINCT e.repository AS repository
