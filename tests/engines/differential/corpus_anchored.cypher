// Patterns that begin at a null, end at a bound node, or hold a bound relationship. The embedded engine refuses none of them.

// == Never refused: anchored patterns
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) OPTIONAL MATCH (b)-[:CALLS]->(c) RETURN f.id AS f, b.id AS b, c.id AS c;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) OPTIONAL MATCH (b)-[:OVERRIDES]->(c:Function) OPTIONAL MATCH (c)-[:CALLS]->(d) RETURN f.id AS f, c.id AS c, d.id AS d;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) OPTIONAL MATCH (x)-[:CALLS]->(b) RETURN f.id AS f, x.id AS x;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) OPTIONAL MATCH (x)-[:DEFINES]->(y)-[:DEFINES]->(b) RETURN f.id AS f, x.id AS x, y.id AS y;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) OPTIONAL MATCH (b)-[:CALLS]->(f) RETURN f.id AS f, b.id AS b;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) OPTIONAL MATCH (b)-[:CALLS*1..2]->(x) RETURN f.id AS f, count(x) AS n;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) OPTIONAL MATCH p = (b)-[:CALLS*1..2]->(x) RETURN f.id AS f, count(p) AS n, max(length(p)) AS longest;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) OPTIONAL MATCH (b)-[:CALLS]->(x), (x)<-[:DEFINES]-(m) RETURN f.id AS f, x.id AS x, m.id AS m;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) OPTIONAL MATCH (b {name: f.name})-[:CALLS]->(x) RETURN f.id AS f, x.id AS x;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) MATCH (b)-[:CALLS]->(x) RETURN f.id AS f, x.id AS x;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) WITH f AS g, b AS a OPTIONAL MATCH (a)-[:CALLS]->(x) RETURN g.id AS g, x.id AS x;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) WITH *, f.name AS name OPTIONAL MATCH (b)-[:CALLS]->(x) WHERE x.name <> name RETURN f.id AS f, x.id AS x;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) CALL (b) { OPTIONAL MATCH (b)-[:CALLS]->(x) RETURN count(x) AS n } RETURN f.id AS f, n;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) WITH f, collect(b) AS found UNWIND found + [null] AS one OPTIONAL MATCH (one)-[:CALLS]->(x) RETURN f.id AS f, x.id AS x;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) WITH f, b WHERE NOT (b)-[:CALLS]->() RETURN f.id AS f;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) WITH f, b WHERE (:Function)-[:CALLS]->(b) RETURN f.id AS f;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) WITH f, b WHERE (b)-[:CALLS]->(f) OR (f)-[:CALLS]->(b) RETURN f.id AS f;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) RETURN f.id AS f, EXISTS { MATCH (b)-[:CALLS]->() } AS e;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) RETURN f.id AS f, COUNT { MATCH (x)-[:CALLS]->(b) } AS n;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) RETURN f.id AS f, size([(b)-[:CALLS]->(x) | x.id]) AS n, size([(x)-[:CALLS]->(b) | x.id]) AS m;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(b:Function) RETURN f.id AS f, COLLECT { MATCH (b)-[:CALLS]->(x) RETURN x.id ORDER BY x.id } AS found ORDER BY f, b.id;
MATCH (f:Function) RETURN f.id AS f, size([(x)-[:CALLS]->(f) | x.id]) AS n;
MATCH (f:Function) RETURN f.id AS f, size([(x)-[r:CALLS]->(f) WHERE r.count > 1 | r.count]) AS n;
MATCH (f:Function) RETURN f.id AS f, [p = (x:Class)-[:DEFINES]->(f) | [n IN nodes(p) | n.name]] AS names;
MATCH (f:Function) WHERE NOT EXISTS { MATCH (t:Module)-[:DEFINES*1..3]->(f) WHERE t.lines > 100 } RETURN f.id AS f;
MATCH (f:Function) WHERE COUNT { (t)-[:CALLS]->(:Function)-[:CALLS]->(f) } > 3 RETURN f.id AS f;
MATCH (f:Function) WHERE COUNT { (t)-[:CALLS]-(:Function)<-[:CALLS]-(f) } > 3 RETURN f.id AS f;
MATCH (a:Function)-[r:CALLS]->(b) WITH r MATCH (x)-[r]->(y:Function) RETURN x.id AS x, y.id AS y;
MATCH (a:Function)-[r:CALLS]->(b) WITH r, b MATCH (b)<-[r]-(x) RETURN x.id AS x, b.id AS b;
MATCH (a:Function)-[r:CALLS]->(b) WITH r, a MATCH (b)<-[r]-(a) RETURN a.id AS a, b.id AS b;
MATCH (a:Class)-[r:DEFINES]->(b) WITH r MATCH p = (b)<-[r]-(x) RETURN [n IN nodes(p) | n.id] AS ids;
MATCH (a:Class)-[r:DEFINES]->(b) WITH r AS q MATCH (m)-[:DEFINES]->(x)-[q]->(y) RETURN m.id AS m, x.id AS x, y.id AS y;
MATCH (a:Class)-[r:INHERITS]->(b) WITH r MATCH (x)-[r]-(y) RETURN x.id AS x, y.id AS y;
MATCH (a:Function) OPTIONAL MATCH (a)-[r:OVERRIDES]->(b) WITH a, r OPTIONAL MATCH (x)-[r]->(y) RETURN a.id AS a, x.id AS x;
MATCH (a:Function) OPTIONAL MATCH (a)-[r:OVERRIDES]->(b) WITH a, r WHERE EXISTS { (x)-[r]->(y) } RETURN a.id AS a;
MATCH (a)-[r:INHERITS]->(b) MATCH (x)-[s:INHERITS]->(y) WHERE s = r RETURN x.id AS x, y.id AS y;
