// The short names of all classes and functions.
// $repositories: list; ids of the repositories
MATCH (n:Class) WHERE n.repository IN $repositories RETURN DISTINCT n.name AS name
UNION
MATCH (n:Function) WHERE n.repository IN $repositories RETURN DISTINCT n.name AS name
