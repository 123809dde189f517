// Call sites attributed to external code that shares its simple name with a definition of the repository.
// $names: list; short names
// $repositories: list; ids of the repositories
MATCH (a)-[r:CALLS]->(b:External)
WHERE b.name IN $names AND b.repository IN $repositories
WITH b.repository AS repository, b.name AS name, b.qualname AS qualname, sum(r.count) AS sites
WHERE EXISTS { MATCH (d:Function {name: name}) WHERE d.repository = repository AND d.repository IN $repositories }
  OR EXISTS { MATCH (c:Class {name: name}) WHERE c.repository = repository AND c.repository IN $repositories }
RETURN repository, qualname, sites
ORDER BY repository, qualname
