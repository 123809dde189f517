// Classes and functions with one of these names, which are given in small letters.
// $names: list; short names
// $repositories: list; ids of the repositories
MATCH (n:Class) WHERE toLower(n.name) IN $names AND n.repository IN $repositories RETURN n AS node
UNION ALL
MATCH (n:Function) WHERE toLower(n.name) IN $names AND n.repository IN $repositories RETURN n AS node
