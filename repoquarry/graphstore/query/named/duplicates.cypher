// Functions with the same code at several places of one repository or of several, its versions (`name@ref`) counted once, the longest first.
// $repositories: list; ids of the repositories
// $repository: string = ""; id of the repository, empty for all
// $lines: integer = 1; minimum number of lines
// $tests: boolean = false; whether tests count
// $first: integer = 0; number of rows to skip
// $limit: integer = 200; maximum number of rows
MATCH (f:Function) WHERE f.body_hash IS NOT NULL AND ($tests OR NOT f.is_test) AND f.repository IN $repositories
WITH f.body_hash AS body, collect(DISTINCT split(f.repository, '@')[0]) AS owners, count(f) AS copies, max(f.end_line - f.start_line + 1) AS lines,
  collect(f.id) AS ids, collect(DISTINCT f.repository) AS holders, count(DISTINCT f.path + '::' + f.qualname) AS places
WHERE (size(owners) > 1 OR places > 1) AND lines >= $lines AND ($repository = '' OR $repository IN holders)
RETURN body, lines, copies, owners AS repositories, ids[..20] AS definitions
ORDER BY lines DESC, copies DESC, body SKIP $first LIMIT $limit
