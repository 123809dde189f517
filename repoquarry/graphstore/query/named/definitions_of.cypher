// Modules, classes and functions of a repository.
// $repository: string; id of the repository
MATCH (n:Module) WHERE n.repository = $repository RETURN n AS node
UNION ALL
MATCH (n:Class) WHERE n.repository = $repository RETURN n AS node
UNION ALL
MATCH (n:Function) WHERE n.repository = $repository RETURN n AS node
