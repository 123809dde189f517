// Hashes of the code of functions that are long enough to have one.
// $ids: list; ids of the nodes
MATCH (f:Function) WHERE f.id IN $ids AND f.body_hash IS NOT NULL RETURN f.id AS id, f.body_hash AS body
