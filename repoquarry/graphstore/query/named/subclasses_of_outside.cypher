// Classes that inherit directly from an external class, by the end of its full name.
// $repositories: list; ids of the repositories
// $qualname: string; dotted name
// $suffix: string; end of the dotted name, with its dot
MATCH (b:Class)-[r:INHERITS]->(a:External)
WHERE b.repository IN $repositories AND (a.qualname = $qualname OR a.qualname ENDS WITH $suffix)
RETURN a.qualname AS known, b AS other, r.how AS how, r.confidence AS confidence
