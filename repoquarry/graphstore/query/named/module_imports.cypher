// Imports between the modules of a repository, by path.
// $repository: string; id of the repository
MATCH (a:Module)-[r:IMPORTS]->(b:Module) WHERE a.repository = $repository
RETURN a.path AS start, b.path AS end, size(r.lines) AS count
