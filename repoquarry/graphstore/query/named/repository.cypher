// The Repository node.
// $repository: string; id of the repository
MATCH (r:Repository {id: $repository}) RETURN r
