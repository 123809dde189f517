// Functions whose signature differs between two versions; of several with one name the first.
// $old: string; id of the old version
// $new: string; id of the new version
MATCH (f:Function) WHERE f.repository = $old AND f.id = $old + ':' + f.path + '::' + f.qualname
MATCH (g:Function {id: $new + ':' + f.path + '::' + f.qualname}) WHERE g.repository = $new AND g.signature <> f.signature
RETURN f.path AS path, f.qualname AS name, f.signature AS before, g.signature AS after ORDER BY path, name
