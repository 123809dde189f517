// Classes and functions with this short name, outermost or with this end of their qualified name.
// $name: string; name
// $qualname: string; dotted name
// $repositories: list; ids of the repositories
MATCH (n:Class) WHERE n.name = $name AND n.repository IN $repositories
  AND (n.qualname = $name OR n.qualname ENDS WITH $qualname)
RETURN n AS node
UNION ALL
MATCH (n:Function) WHERE n.name = $name AND n.repository IN $repositories
  AND (n.qualname = $name OR n.qualname ENDS WITH $qualname)
RETURN n AS node
