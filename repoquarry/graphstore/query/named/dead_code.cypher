// Functions that nothing is known to reach: no call, use, override, entry point or unresolved call of the same name.
// $repository: string = ""; id of the repository, empty for all
// $limit: integer = 200; maximum number of rows
MATCH (n:Function)
WHERE ($repository = '' OR n.repository = $repository) AND NOT n.is_test AND n.entry_points IS NULL AND n.decorators IS NULL
  AND NOT n.name STARTS WITH '__' AND n.kind <> 'lambda'
  AND NOT EXISTS { MATCH (n)<-[:CALLS]-() }
  AND NOT EXISTS { MATCH (n)<-[r:REFERENCES]-() WHERE r.kind <> 'import' }
  AND NOT EXISTS { MATCH (n)-[:OVERRIDES]-() }
OPTIONAL MATCH (u:Name {name: n.name}) WHERE u.repository = n.repository
WITH n, count(u) AS unresolved WHERE unresolved = 0
RETURN n.id AS id, n.path AS path, n.qualname AS qualname, n.start_line AS line
ORDER BY id LIMIT $limit
