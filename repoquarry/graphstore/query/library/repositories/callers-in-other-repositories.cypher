// Callers of a library in other repositories.
MATCH (a)-[r:CALLS]->(e:External)-[:PROVIDES]->(d)
WHERE (d:Function OR d:Class) AND d.repository <> a.repository
RETURN d.repository AS library, d.qualname AS name, a.repository AS user, a.path AS path, a.qualname AS caller,
       r.count AS sites
ORDER BY library, name, user, path, caller
