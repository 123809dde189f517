// Entry points: files, functions and classes, with their kind.
// $repositories: list; ids of the repositories
MATCH (n:Module) WHERE n.repository IN $repositories AND n.entry_points IS NOT NULL AND n.is_test = false
RETURN n AS node
UNION ALL
MATCH (n:Class) WHERE n.repository IN $repositories AND n.entry_points IS NOT NULL AND n.is_test = false
RETURN n AS node
UNION ALL
MATCH (n:Function) WHERE n.repository IN $repositories AND n.entry_points IS NOT NULL AND n.is_test = false
RETURN n AS node
