// Unresolved call sites of a repository, in tests and outside.
// $repository: string; id of the repository
MATCH (a)-[r:UNRESOLVED]->(b:Name) WHERE a.repository = $repository
RETURN a.is_test AS is_test, sum(r.count) AS count
