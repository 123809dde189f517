// Unresolved calls of some names.
// $names: list; short names
// $repositories: list; ids of the repositories
MATCH (a)-[r:UNRESOLVED]->(b:Name)
WHERE b.name IN $names AND b.repository IN $repositories
RETURN b.id AS known, a AS other, b.name AS name, r.count AS count, r.lines AS lines, r.reason AS reason
