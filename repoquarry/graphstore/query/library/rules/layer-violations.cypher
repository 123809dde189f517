// No import from a folder to a folder that comes before it in the list of layers, highest layer first.
// rule
// $repository: string = ""; id of the repository, empty for all
// $layers: list; folders, from the highest layer to the lowest, each with a final slash; the longest that fits a path counts
MATCH (a:Module)-[i:IMPORTS]->(b:Module)
WHERE ($repository = '' OR a.repository = $repository)
  AND any(lower IN range(1, size($layers) - 1) WHERE a.path STARTS WITH $layers[lower]
    AND none(inner IN $layers WHERE a.path STARTS WITH inner AND size(inner) > size($layers[lower]))
    AND any(upper IN $layers[..lower] WHERE b.path STARTS WITH upper
      AND none(inner IN $layers WHERE b.path STARTS WITH inner AND size(inner) > size(upper))))
RETURN a.path AS path, b.path AS imported, i.lines AS lines ORDER BY path, imported
