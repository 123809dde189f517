// No cycle of imports that run while modules are loaded: all of two or three modules, and shortest of more (not those that other imports shorten).
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
  MATCH (a:Module)-[i:IMPORTS]->(b:Module)
  WHERE a <> b AND NOT coalesce(i.type_only OR i.deferred, false) AND ($repository = '' OR a.repository = $repository)
  MATCH p = allShortestPaths((b)-[:IMPORTS*..15]->(a))
  WITH p WHERE all(r IN relationships(p) WHERE NOT coalesce(r.type_only OR r.deferred, false))
  WITH [n IN nodes(p) | n.path] AS found
  WITH found, [i IN range(0, size(found) - 1) WHERE all(path IN found WHERE found[i] <= path)][0] AS first
  RETURN found[first..] + found[..first] AS ring
}
RETURN ring[0] AS path, ring[1..] AS others, size(ring) AS modules ORDER BY modules, path, others
