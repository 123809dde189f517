// Calls between the functions of a repository, by id.
// $repository: string; id of the repository
MATCH (a:Function)-[:CALLS]->(b:Function) WHERE a.repository = $repository AND b.repository = $repository
RETURN a.id AS start, b.id AS end
