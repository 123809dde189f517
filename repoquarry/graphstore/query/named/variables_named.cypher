// Constants and fields by name.
// $repositories: list; ids of the repositories
// $name: string; name
MATCH (n:Variable) WHERE n.repository IN $repositories AND n.name = $name RETURN n AS node ORDER BY n.id
