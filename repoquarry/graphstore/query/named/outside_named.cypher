// Calls of an external definition, by the end of its full name.
// $repositories: list; ids of the repositories
// $qualname: string; dotted name
// $suffix: string; end of the dotted name, with its dot
MATCH (b)-[r:CALLS]->(a:External)
WHERE a.repository IN $repositories AND (a.qualname = $qualname OR a.qualname ENDS WITH $suffix)
RETURN a.qualname AS known, b AS other,
  r.count AS count, r.lines AS lines,
  r.how AS how, r.confidence AS confidence
