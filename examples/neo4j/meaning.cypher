// Functions by words, and their callers
CALL db.index.fulltext.queryNodes('repoquarry_text', 'retry request') YIELD node, score
WITH node, score ORDER BY score DESC LIMIT 20
OPTIONAL MATCH (caller:Function)-[c:CALLS]->(node)
RETURN node, c, caller;
