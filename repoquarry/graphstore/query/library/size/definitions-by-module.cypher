// Classes and functions at the top level of each module, most first.
// $repository: string = ""; id of the repository, empty for all
MATCH (m:Module)-[:DEFINES]->(x)
WHERE $repository = '' OR m.repository = $repository
RETURN m.path AS path, labels(x)[0] AS kind, count(x) AS n ORDER BY n DESC, path, kind
