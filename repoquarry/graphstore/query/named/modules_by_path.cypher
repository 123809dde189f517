// Source files whose path ends with this text.
// $repositories: list; ids of the repositories
// $ending: string; end of the path
MATCH (n:Module) WHERE n.repository IN $repositories AND n.path ENDS WITH $ending
RETURN n AS node
ORDER BY n.id
