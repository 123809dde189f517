// Functions that the new version lacks; `repoquarry diff` also detects moves.
// $old: string; id of the old version
// $new: string; id of the new version
MATCH (f:Function)
WHERE f.repository = $old AND NOT EXISTS {
  MATCH (g:Function) WHERE g.repository = $new AND g.path = f.path AND g.qualname = f.qualname
}
RETURN f.path AS path, f.qualname AS name ORDER BY path, name
