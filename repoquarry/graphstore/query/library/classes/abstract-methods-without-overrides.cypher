// Abstract methods and members of interfaces that no class implements, of classes with subclasses first.
// $repository: string = ""; id of the repository, empty for all
MATCH (c:Class)-[:DEFINES]->(f:Function)
WHERE f.is_abstract AND NOT f.is_test AND f.kind <> 'constructor' AND ($repository = '' OR f.repository = $repository)
  AND NOT EXISTS { (f)<-[:OVERRIDES]-() }
RETURN f.path AS path, f.qualname AS name, COUNT { (c)<-[:INHERITS]-() } AS subclasses
ORDER BY subclasses DESC, path, name, f.start_line
