// External definitions by their full dotted name or its end.
// $repositories: list; ids of the repositories
// $qualname: string; dotted name
// $suffix: string; end of the dotted name, with its dot
MATCH (n:External)
WHERE n.repository IN $repositories AND (n.qualname = $qualname OR n.qualname ENDS WITH $suffix)
RETURN n AS node ORDER BY n.id
