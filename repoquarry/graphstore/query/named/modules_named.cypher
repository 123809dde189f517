// Source files whose importable name ends with this name and one of these ends, or whose path has one of these parts.
// $repositories: list; ids of the repositories
// $name: string; name
// $ends: list; ends of importable names
// $parts: list; parts of paths
MATCH (n:Module) WHERE n.repository IN $repositories
AND (toLower(n.name) ENDS WITH $name OR toLower(n.path) CONTAINS $name)
AND (any(tail IN $ends WHERE '.' + toLower(n.name) ENDS WITH tail)
  OR any(part IN $parts WHERE '/' + toLower(n.path) CONTAINS part))
RETURN n AS node ORDER BY n.id
