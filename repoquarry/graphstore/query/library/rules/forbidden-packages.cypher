// No import of a package.
// rule
// $repository: string = ""; id of the repository, empty for all
// $packages: list; names of the forbidden packages
MATCH (m:Module)-[i:IMPORTS]->(e:External)
WHERE e.package IN $packages AND ($repository = '' OR m.repository = $repository)
RETURN m.path AS path, e.qualname AS imported, i.lines AS lines ORDER BY path, imported
