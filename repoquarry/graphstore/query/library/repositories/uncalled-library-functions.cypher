// Public functions of a library that its own code calls, but no repository that depends on it.
MATCH (:Repository)-[:DEPENDS_ON]->(:Package)<-[:PROVIDES]-(library:Repository)
WITH DISTINCT library
MATCH (d:Function) WHERE d.repository = library.id
  AND d.calls_in > 0 AND NOT d.is_test AND d.kind IN ['function', 'method'] AND NOT d.name STARTS WITH '_'
  AND NOT EXISTS { MATCH (d)<-[:PROVIDES]-(:External) }
RETURN d.repository AS library, d.path AS path, d.qualname AS name ORDER BY library, path, name LIMIT 50
