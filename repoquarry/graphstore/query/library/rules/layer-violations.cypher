// No import from a folder to a folder that comes before it in the list of layers, highest layer first.
// rule
// $repository: string = ""; id of the repository, empty for all
// $layers: list; folders, from the highest layer to the lowest, each with a final slash
MATCH (a:Module)-[i:IMPORTS]->(b:Module)
WHERE $repository = '' OR a.repository = $repository
UNWIND range(0, size($layers) - 1) AS upper
UNWIND range(0, size($layers) - 1) AS lower
WITH a, i, b, upper, lower
WHERE upper < lower AND a.path STARTS WITH $layers[lower] AND b.path STARTS WITH $layers[upper]
RETURN a.path AS path, b.path AS imported, i.lines AS lines ORDER BY path, imported
