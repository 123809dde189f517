// Classes and functions with one of these short names.
// $names: list; short names
// $repositories: list; ids of the repositories
MATCH (n:Class) WHERE n.name IN $names AND n.repository IN $repositories RETURN n AS node
UNION ALL
MATCH (n:Function) WHERE n.name IN $names AND n.repository IN $repositories RETURN n AS node
