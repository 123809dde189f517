// Functions that the new version lacks; `repoquarry diff` also detects moves.
// $old: string; id of the old version
// $new: string; id of the new version
MATCH (f:Function) WHERE f.repository = $old
OPTIONAL MATCH (g:Function {id: $new + ':' + f.path + '::' + f.qualname}) WHERE g.repository = $new
WITH f, g WHERE g IS NULL
RETURN f.path AS path, f.qualname AS name ORDER BY path, name
