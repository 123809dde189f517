// Calls between the files of a repository, by path.
// $repository: string; id of the repository
MATCH (a)-[r:CALLS]->(b) WHERE a.repository = $repository AND b.path IS NOT NULL AND a.path <> b.path
RETURN a.path AS start, b.path AS end, sum(r.count) AS count
