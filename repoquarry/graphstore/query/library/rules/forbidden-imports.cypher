// No import from one folder to another, other than inside the imported one.
// rule
// $repository: string = ""; id of the repository, empty for all
// $from: string; prefix of the paths that must not import
// $to: string; prefix of the paths that must not be imported
MATCH (a:Module)-[i:IMPORTS]->(b:Module)
WHERE a.path STARTS WITH $from AND b.path STARTS WITH $to AND ($repository = '' OR a.repository = $repository)
  AND NOT ($to STARTS WITH $from AND a.path STARTS WITH $to)
RETURN a.path AS path, b.path AS imported, i.lines AS lines ORDER BY path, imported
