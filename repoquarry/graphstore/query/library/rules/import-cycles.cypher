// No cycle of imports that run while modules are loaded: rings of two or three, and groups of four or more that import each other.
// rule
// $repository: string = ""; id of the repository, empty for all
CALL () {
  MATCH (a:Module)-[i:IMPORTS]->(b:Module)-[j:IMPORTS]->(a)
  WHERE a.id < b.id AND NOT coalesce(i.type_only OR i.deferred OR j.type_only OR j.deferred, false)
    AND ($repository = '' OR a.repository = $repository)
  RETURN [a.path, b.path] AS ring
  UNION
  MATCH (a:Module)-[i:IMPORTS]->(b:Module)-[j:IMPORTS]->(c:Module)-[k:IMPORTS]->(a)
  WHERE a.id < b.id AND a.id < c.id AND b.id <> c.id AND ($repository = '' OR a.repository = $repository)
    AND NOT coalesce(i.type_only OR i.deferred OR j.type_only OR j.deferred OR k.type_only OR k.deferred, false)
  RETURN [a.path, b.path, c.path] AS ring
  UNION
  MATCH (a:Module) WHERE a.import_ring IS NOT NULL AND ($repository = '' OR a.repository = $repository)
  WITH a ORDER BY a.path
  WITH a.repository AS repository, a.import_ring AS first, collect(a.path) AS ring WHERE size(ring) > 3
  RETURN ring
}
RETURN ring[0] AS path, ring[1..] AS others, size(ring) AS modules ORDER BY modules, path, others
