// Import cycles of two modules; `loading`: whether both imports run while the modules are loaded.
// $repository: string = ""; id of the repository, empty for all
MATCH (a:Module)-[i:IMPORTS]->(b:Module)-[j:IMPORTS]->(a)
WHERE a.path < b.path AND ($repository = '' OR a.repository = $repository)
RETURN a.path AS a, b.path AS b, NOT coalesce(i.type_only OR i.deferred OR j.type_only OR j.deferred, false) AS loading
ORDER BY loading DESC, a, b
