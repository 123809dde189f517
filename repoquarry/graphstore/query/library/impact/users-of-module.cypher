// Modules that depend on a module, with the number of paths.
// $repository: string = ""; id of the repository, empty for all
// $path: string; path of the module
MATCH (m:Module)<-[:DEPENDS_ON*1..2]-(user:Module)
WHERE m.path = $path AND ($repository = '' OR m.repository = $repository)
RETURN user.path AS path, count(*) AS ways ORDER BY ways DESC, path
