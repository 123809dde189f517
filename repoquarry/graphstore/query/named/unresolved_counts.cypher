// Unresolved call sites of some names, by repository and name.
// $names: list; short names
// $repositories: list; ids of the repositories
MATCH (a)-[r:UNRESOLVED]->(b:Name)
WHERE b.name IN $names AND b.repository IN $repositories
RETURN b.repository AS repository, b.name AS name, sum(r.count) AS sites
ORDER BY repository, name
