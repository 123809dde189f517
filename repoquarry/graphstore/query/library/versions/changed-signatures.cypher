// Functions whose signature differs between two versions.
// $old: string; id of the old version
// $new: string; id of the new version
MATCH (f:Function), (g:Function)
WHERE f.repository = $old AND g.repository = $new AND g.path = f.path AND g.qualname = f.qualname
  AND g.signature <> f.signature
RETURN f.path AS path, f.qualname AS name, f.signature AS before, g.signature AS after ORDER BY path, name
