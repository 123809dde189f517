// Two or three modules whose imports form a ring while they are loaded, each ring once.
// $repository: string = ""; id of the repository, empty for all
MATCH (a:Module)-[i:IMPORTS]->(b:Module)-[j:IMPORTS]->(a)
WHERE ($repository = '' OR a.repository = $repository) AND a.id < b.id
  AND NOT coalesce(i.type_only OR i.deferred OR j.type_only OR j.deferred, false)
RETURN [a.path, b.path] AS ring
UNION ALL
MATCH (a:Module)-[i:IMPORTS]->(b:Module)-[j:IMPORTS]->(c:Module)-[k:IMPORTS]->(a)
WHERE ($repository = '' OR a.repository = $repository) AND a.id < b.id AND a.id < c.id AND b.id <> c.id
  AND NOT coalesce(i.type_only OR i.deferred OR j.type_only OR j.deferred OR k.type_only OR k.deferred, false)
RETURN [a.path, b.path, c.path] AS ring
