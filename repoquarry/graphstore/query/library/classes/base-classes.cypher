// Base classes with the most subclasses.
// $repository: string = ""; id of the repository, empty for all
MATCH (base)<-[:INHERITS]-(c:Class)
WHERE $repository = '' OR c.repository = $repository
RETURN base.name AS base, labels(base)[0] AS kind, count(c) AS subclasses ORDER BY subclasses DESC, base, kind
