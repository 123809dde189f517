// Functions with the same code as some, given by their hashes; versions of one repository do not count as duplicates.
// $repositories: list; ids of the repositories
// $bodies: list; hashes of the code
// $first: integer = 0; number of rows to skip
// $limit: integer = 200; maximum number of rows
MATCH (f:Function) WHERE f.body_hash IN $bodies AND f.repository IN $repositories
WITH f.body_hash AS body, collect(DISTINCT split(f.repository, '@')[0]) AS owners, count(f) AS copies, max(f.end_line - f.start_line + 1) AS lines,
  collect(f.id) AS ids,
  count(DISTINCT f.path + '::' + f.qualname) AS places
WHERE size(owners) > 1 OR places > 1
RETURN body, lines, copies, owners AS repositories, ids[..20] AS definitions
ORDER BY lines DESC, copies DESC, body SKIP $first LIMIT $limit
