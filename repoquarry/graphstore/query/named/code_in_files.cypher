// Classes and functions of some files, in order of their lines.
// $repository: string; id of the repository
// $paths: list; paths of the files
MATCH (n:Class) WHERE n.repository = $repository AND n.path IN $paths RETURN n AS node
UNION ALL
MATCH (n:Function) WHERE n.repository = $repository AND n.path IN $paths RETURN n AS node
