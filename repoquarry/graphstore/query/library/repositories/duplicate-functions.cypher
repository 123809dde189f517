// Duplicate functions between repositories, ignoring comments, layout and the function's name.
MATCH (f:Function) WHERE f.body_hash IS NOT NULL AND NOT f.is_test
WITH f.body_hash AS body, collect(DISTINCT f.repository) AS repositories,
     max(f.end_line - f.start_line + 1) AS lines, collect(f.id) AS ids
WHERE size(repositories) > 1
RETURN lines, repositories, ids[..20] AS definitions ORDER BY lines DESC, body LIMIT 50
