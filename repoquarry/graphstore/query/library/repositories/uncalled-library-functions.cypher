// Functions of a library that no other repository calls.
MATCH (d:Function)
WHERE d.calls_in > 0 AND NOT d.is_test AND NOT EXISTS { MATCH (d)<-[:PROVIDES]-(:External) }
RETURN d.repository AS library, d.path AS path, d.qualname AS name ORDER BY library, path, name LIMIT 50
