// Reading queries as analysts write them, by chapter of the Cypher manual. A query ends with a semicolon at the end of a
// line. `//$ {...}` before a query gives its parameters, `// no rows` says that it has none. They run over the frozen graphs
// (freeze.py) on the embedded engine; `python -m tests.engines.differential.recorded_rows` records the rows of Neo4j.

// == MATCH
MATCH (m:Module) RETURN m.path, m.lines ORDER BY m.id;
MATCH (c:Class) RETURN c;
MATCH (f:Function {name: '__init__'}) RETURN f.path, f.qualname ORDER BY f.path, f.qualname;
MATCH (m:Module)-[:DEFINES]->(c:Class) RETURN m.path, c.name ORDER BY m.path, c.name;
MATCH (m:Module)-[:DEFINES]->(:Class)-[:DEFINES]->(f:Function) RETURN m.path AS path, count(f) AS methods ORDER BY methods DESC, path;
MATCH (f:Function)<-[r:CALLS]-(caller) RETURN labels(caller)[0] AS kind, count(r) AS sites ORDER BY sites DESC, kind;
MATCH (a)-[r]->(b) RETURN type(r) AS type, labels(a)[0] AS a, labels(b)[0] AS b, count(*) AS n ORDER BY type, a, b;
MATCH (n) RETURN labels(n) AS labels, count(*) AS n ORDER BY n DESC, labels[0];
MATCH (n:Class|Function) RETURN labels(n)[0] AS label, count(*) AS n ORDER BY label;
MATCH (n:!Function&!External) RETURN labels(n)[0] AS label, count(*) AS n ORDER BY label;
MATCH (n:%) RETURN count(n) AS n;
MATCH (a:Function)-[r:CALLS|REFERENCES]->(b) RETURN type(r) AS t, count(*) AS n ORDER BY t;
MATCH (a:Function)-[r:!CALLS]->(b) RETURN type(r) AS t, count(*) AS n ORDER BY t;
MATCH (a:Function)--(b:Class) RETURN count(*) AS n;
MATCH (a:Function)<-[r]-(b) RETURN DISTINCT type(r) AS t ORDER BY t;
MATCH (a:Class)-[:INHERITS]->(b:External) RETURN a.name, b.qualname ORDER BY a.name, b.qualname;
MATCH (m:Module), (d:Document) RETURN count(*) AS pairs;
MATCH (a:Class), (b:Class) WHERE a.name = b.name AND a.id < b.id RETURN a.name, a.path, b.path ORDER BY a.name, a.path, b.path;
MATCH p = (r:Repository)-[:CONTAINS]->(:Directory)-[:CONTAINS]->(x) RETURN length(p) AS l, x.name AS name ORDER BY name;
MATCH p = (:Module)-[:DEFINES]->(:Class) RETURN p;
MATCH (a:Function)-[r:CALLS]->(b:Function) RETURN r;
MATCH (a:Function)-[r:CALLS]->(a) RETURN a.qualname ORDER BY a.qualname;
MATCH (m:Module WHERE m.lines > 200) RETURN m.path ORDER BY m.path;
MATCH (a:Function)-[r:CALLS WHERE r.count > 1]->(b:Function WHERE b.is_async = false) RETURN a.qualname, b.qualname, r.count ORDER BY 1 = 2, a.qualname, b.qualname, a.id, b.id;
MATCH (f:Function {kind: 'method', is_async: false}) RETURN count(*) AS n;
MATCH (a)-[:DEFINES {nothing: 1}]->(b) RETURN count(*) AS n;

// == OPTIONAL MATCH
MATCH (c:Class) OPTIONAL MATCH (c)-[:INHERITS]->(base) RETURN c.name AS name, base.name AS base ORDER BY name, base, c.id;
MATCH (c:Class) OPTIONAL MATCH (c)<-[:INHERITS]-(sub:Class) RETURN c.qualname AS class, count(sub) AS subclasses ORDER BY subclasses DESC, class;
MATCH (f:Function) OPTIONAL MATCH (f)<-[:CALLS]-(g:Function) WHERE g.path <> f.path RETURN f.id AS id, count(g) AS callers ORDER BY callers DESC, id LIMIT 20;
OPTIONAL MATCH (n:Class {name: 'NoSuchClass'}) RETURN n, n.name, labels(n), n:Class AS is_class, NOT n:Class AS not_class;
OPTIONAL MATCH (n:Class {name: 'NoSuchClass'})-[r:INHERITS]->(m) RETURN n IS NULL AS a, r IS NULL AS b, type(r) AS t, m.name AS name;
MATCH (m:Module) OPTIONAL MATCH (m)-[:DEPENDS_ON]->(o:Module) WHERE o.lines > 100 WITH m, collect(o.path) AS deps RETURN m.path AS path, size(deps) AS n ORDER BY path;
MATCH (c:Class) OPTIONAL MATCH (c)-[:DEFINES]->(f:Function) OPTIONAL MATCH (f)-[:CALLS]->(g:Function) WITH c, count(DISTINCT f) AS methods, count(DISTINCT g) AS callees RETURN c.id AS id, methods, callees ORDER BY id;
MATCH (c:Class) OPTIONAL MATCH p = (c)-[:INHERITS*1..3]->(top) RETURN c.id AS id, max(length(p)) AS depth ORDER BY id;
MATCH (f:Function {name: 'check'}) OPTIONAL MATCH (f)-[r:OVERRIDES]->(o) RETURN f.id, r, o;

// == WHERE
MATCH (f:Function) WHERE f.name STARTS WITH '_' AND NOT f.name STARTS WITH '__' RETURN count(*) AS private;
MATCH (f:Function) WHERE f.name ENDS WITH 's' XOR f.name CONTAINS 'name' RETURN count(*) AS n;
MATCH (f:Function) WHERE f.docstring IS NULL RETURN count(*) AS undocumented;
MATCH (f:Function) WHERE f.docstring IS NOT NULL AND size(f.docstring) > 60 RETURN f.id ORDER BY f.id LIMIT 25;
MATCH (f:Function) WHERE f.name IN ['run', 'close', 'open'] RETURN f.name, f.path ORDER BY f.name, f.path, f.id;
//$ {"names": ["run", "close"]}
MATCH (f:Function) WHERE f.name IN $names RETURN f.name AS name, count(*) AS n ORDER BY name;
//$ {"part": "query", "least": 2}
MATCH (f:Function) WHERE f.name CONTAINS $part AND f.calls_in >= $least RETURN f.id ORDER BY f.id;
MATCH (f:Function) WHERE f.name =~ '(?i)get.*|is_[a-z]+' RETURN f.name AS name, count(*) AS n ORDER BY name;
//$ {"pattern": "_[a-z]+s"}
MATCH (f:Function) WHERE f.name =~ $pattern RETURN DISTINCT f.name AS name ORDER BY name;
//$ {"word": "open"}
MATCH (f:Function) WHERE f.name =~ '.*' + $word + '.*' RETURN DISTINCT f.name AS name ORDER BY name;
MATCH (f:Function) WHERE NOT f.name =~ '\\w+' RETURN count(*) AS n;
MATCH (f:Function) WHERE 10 <= f.start_line < 50 RETURN count(*) AS n;
MATCH (f:Function) WHERE f.end_line - f.start_line + 1 > 20 RETURN f.qualname AS name, f.end_line - f.start_line + 1 AS lines ORDER BY lines DESC, name, f.id LIMIT 10;
MATCH (f:Function) WHERE NOT (f)<-[:CALLS]-() AND NOT f.is_test RETURN f.id ORDER BY f.id;
MATCH (f:Function) WHERE (f)-[:CALLS]->(f) RETURN f.id ORDER BY f.id;
MATCH (c:Class) WHERE NOT (c)<-[:INHERITS]-(:Class) AND (c)-[:DEFINES]->() RETURN c.id ORDER BY c.id;
MATCH (c:Class) WHERE (c)-[:DEFINES]->(:Function {name: '__init__'}) RETURN c.id ORDER BY c.id;
MATCH (f:Function) WHERE exists((f)<-[:OVERRIDES]-()) RETURN f.id ORDER BY f.id;
MATCH (f:Function) WHERE size(f.decorators) > 0 RETURN f.id, f.decorators ORDER BY f.id;
MATCH (f:Function) WHERE 'property' IN f.decorators RETURN f.qualname ORDER BY f.qualname, f.id;
MATCH (f:Function) WHERE any(d IN f.decorators WHERE d STARTS WITH 'dataclass' OR d = 'property') RETURN count(*) AS n;
MATCH (n) WHERE n:Class OR n:Module RETURN labels(n)[0] AS l, count(*) AS c ORDER BY l;
MATCH (n) WHERE n:Function AND NOT n:Class AND n.kind = 'method' RETURN count(*) AS n;
MATCH (a)-[r]->(b) WHERE type(r) IN ['CALLS', 'UNRESOLVED'] AND r.count > 2 RETURN type(r) AS t, sum(r.count) AS n ORDER BY t;
MATCH (a)-[r:CALLS]->(b) WHERE r.how <> 'scope' OR r.confidence < 0.9 RETURN r.how AS how, count(*) AS n, min(r.confidence) AS least ORDER BY how;
MATCH (n:Class) WHERE n.importance > 1.5 AND n.importance <= 9 RETURN count(*) AS n;
MATCH (f:Function) WHERE f.path IS NOT NULL AND (f.docstring IS NULL OR f.docstring = '') RETURN count(*) AS n;
MATCH (n:Class {name: 'Store'}) WHERE n['path'] = n.path RETURN count(*) AS n;

// == RETURN and ORDER BY
MATCH (f:Function) RETURN DISTINCT f.kind AS kind ORDER BY kind;
MATCH (f:Function) RETURN f.kind, f.is_async, count(*) ORDER BY count(*) DESC, f.kind, f.is_async;
MATCH (m:Module) RETURN m.path ORDER BY m.lines DESC, m.path SKIP 3 LIMIT 4;
//$ {"skip": 1, "limit": 2}
MATCH (m:Module) RETURN m.path ORDER BY m.path SKIP $skip LIMIT $limit;
MATCH (f:Function) RETURN f.id AS id, f.docstring AS doc ORDER BY doc DESC, id LIMIT 30;
MATCH (f:Function) RETURN f.id AS id ORDER BY f.docstring, f.id LIMIT 30;
MATCH (c:Class)-[:DEFINES]->(f:Function) RETURN *, c.name + '.' + f.name AS full ORDER BY full, f.id LIMIT 10;
MATCH (f:Function) RETURN f.name, toUpper(f.name) AS upper, size(f.name) ORDER BY size(f.name) DESC, f.name, f.id LIMIT 12;
MATCH (m:Module) RETURN m.path, m.lines > 100 AS big, m.importance * 2, -m.lines, m.lines % 7, m.lines / 10 ORDER BY m.id;
MATCH (m:Module) RETURN m.lines / 10.0 AS tens, m.lines * 1.5 AS more, m.lines ^ 2 AS square ORDER BY tens, more, square;
RETURN 1 AS one, 'text' AS text, 2.5 AS number, true AS yes, null AS nothing, [1, 'a', null] AS list, {a: 1, b: [2]} AS map;
RETURN 7 / 2 AS a, -7 / 2 AS b, 7 % 3 AS c, -7 % 3 AS d, 2 ^ 3 AS e, 7 / 2.0 AS f, 1 + 2 * 3 - 4 AS g;
UNWIND [3, null, 1, 2] AS x RETURN x ORDER BY x;
UNWIND [3, null, 1, 2] AS x RETURN x ORDER BY x DESC;
UNWIND ['b', null, 'a'] AS x RETURN coalesce(x, '?') AS y ORDER BY x;

// == WITH
MATCH (f:Function)-[r:CALLS]->(g:Function) WITH g, sum(r.count) AS sites, count(DISTINCT f) AS callers WHERE callers > 2 RETURN g.id AS id, sites, callers ORDER BY sites DESC, id LIMIT 15;
MATCH (m:Module)-[:DEFINES]->(f:Function) WITH m, count(f) AS n ORDER BY n DESC, m.path LIMIT 3 MATCH (m)-[:DEFINES]->(g:Function) RETURN m.path AS path, n, collect(g.name) AS names ORDER BY n DESC, path;
MATCH (m:Module) WITH max(m.lines) AS most MATCH (m:Module) WHERE m.lines = most RETURN m.path ORDER BY m.path;
MATCH (m:Module) WITH avg(m.lines) AS mean MATCH (n:Module) WHERE n.lines > mean RETURN count(n) AS above;
MATCH (m:Module) WITH m.path AS path WHERE m.lines > 150 RETURN path ORDER BY path;
MATCH (c:Class) WITH DISTINCT c.path AS path RETURN count(path) AS files;
MATCH (f:Function) WITH f.path AS path, collect(f.name) AS names WITH path, size(names) AS n WHERE n > 5 RETURN path, n ORDER BY n DESC, path;
MATCH (f:Function) WITH f ORDER BY f.calls_in DESC, f.id LIMIT 5 RETURN collect(f.id) AS top;
MATCH (c:Class) WITH *, size(c.name) AS length WHERE length > 10 RETURN c.name AS name, length ORDER BY length DESC, name, c.id;
MATCH (m:Module) WITH m, m.lines AS lines, split(m.path, '/')[0] AS top RETURN top, sum(lines) AS lines, count(*) AS files ORDER BY lines DESC, top;
WITH [1, 2, 3] AS l, {k: 'v'} AS m RETURN l[0] AS a, l[-1] AS b, l[1..] AS c, l[..2] AS d, m.k AS e, m['k'] AS f, keys(m) AS g;
MATCH (f:Function) WITH f.kind AS kind, count(*) AS n WITH collect({kind: kind, n: n}) AS all UNWIND all AS row RETURN row.kind AS kind, row.n AS n ORDER BY n DESC, kind;
MATCH (m:Module) WITH sum(m.lines) AS total MATCH (m:Module) RETURN m.path AS path, round(100.0 * m.lines / total, 1) AS percent ORDER BY percent DESC, path;
MATCH (m:Module)-[:DEFINES]->(x) WITH m, labels(x)[0] AS label, count(*) AS n RETURN m.path AS path, label, n ORDER BY path, label;

// == Aggregation
MATCH (m:Module) RETURN count(*) AS n, sum(m.lines) AS lines, min(m.lines) AS least, max(m.lines) AS most, avg(m.lines) AS mean;
MATCH (m:Module) RETURN sum(m.importance) AS s, avg(m.importance) AS a, max(m.importance) AS most;
MATCH (f:Function) RETURN count(f.docstring) AS documented, count(*) AS all, 100 * count(f.docstring) / count(*) AS percent;
MATCH (f:Function) RETURN count(DISTINCT f.name) AS names, count(DISTINCT f.path) AS paths;
MATCH (f:Function) RETURN f.path AS path, collect(DISTINCT f.kind) AS kinds ORDER BY path;
MATCH (f:Function) RETURN f.kind AS kind, min(f.name) AS first, max(f.name) AS last ORDER BY kind;
MATCH (n:Class {name: 'NoSuchClass'}) RETURN count(n) AS c, sum(n.methods) AS s, avg(n.methods) AS a, min(n.name) AS m, collect(n) AS l;
MATCH (c:Class)-[:DEFINES]->(f:Function) RETURN c.name AS name, size(collect(f)) AS n, head(collect(f.kind)) IS NOT NULL AS some ORDER BY name;
MATCH (a:Function)-[r:CALLS]->(b) RETURN labels(b)[0] AS kind, sum(r.count) AS sites, toFloat(sum(r.count)) / count(*) AS mean ORDER BY kind;
MATCH (f:Function) RETURN f.is_async AS async, sum(CASE WHEN f.docstring IS NULL THEN 1 ELSE 0 END) AS bare, count(*) AS n ORDER BY async;
MATCH (m:Module) RETURN CASE WHEN m.lines < 50 THEN 'small' WHEN m.lines < 200 THEN 'middle' ELSE 'large' END AS size, count(*) AS n ORDER BY size;
MATCH (f:Function) WITH f.path AS p, f.kind AS k, count(*) AS c RETURN p, sum(c) AS total, max(c) AS most ORDER BY p;

// == UNWIND and lists
UNWIND [1, 2, 2, 3] AS x WITH DISTINCT x RETURN sum(x) AS s;
UNWIND range(1, 5) AS i RETURN i, i * i AS square ORDER BY i;
// no rows
UNWIND [] AS x RETURN x;
UNWIND [[1, 2], [3]] AS l UNWIND l AS x RETURN x ORDER BY x;
MATCH (c:Class) UNWIND c.bases AS base RETURN base, count(*) AS n ORDER BY n DESC, base;
MATCH (f:Function) UNWIND f.decorators AS d RETURN d, count(DISTINCT f) AS n ORDER BY n DESC, d LIMIT 10;
//$ {"rows": [{"name": "run", "weight": 2}, {"name": "close", "weight": 3}]}
UNWIND $rows AS row MATCH (f:Function) WHERE f.name = row.name RETURN row.name AS name, count(*) * row.weight AS score, row.weight ORDER BY name;
MATCH (c:Class) RETURN c.id AS id, [b IN c.bases WHERE b <> 'object' | toLower(b)] AS bases ORDER BY id;
MATCH (c:Class) RETURN c.id AS id, size(c.bases) AS n, c.bases[0] AS first, last(c.bases) AS last, 'Exception' IN c.bases AS e ORDER BY id;
RETURN [x IN range(1, 10) WHERE x % 2 = 0 | x * x] AS squares, reduce(s = 0, x IN [1, 2, 3] | s + x) AS sum, all(x IN [1, 2] WHERE x > 0) AS a, any(x IN [] WHERE x > 0) AS b, none(x IN [null] WHERE x > 0) AS c, single(x IN [1, 2] WHERE x = 1) AS d;
RETURN [1, 2] + 3 AS a, [1] + [2, 3] AS b, [1, 2, 3][0..2] AS c, head([1]) AS d, last([]) AS e, tail([1, 2]) AS f, reverse([1, 2]) AS g, size([]) AS h, [1, 2] = [1, 2] AS i, 1 IN [1, null] AS j, 3 IN [1, null] AS k;
MATCH (f:Function) WITH collect(f.name) AS names RETURN size(names) AS n, size([n IN names WHERE n STARTS WITH 'test']) AS tests;
MATCH (m:Module) RETURN m.path AS path, reduce(text = '', part IN split(m.path, '/') | text + '>' + part) AS joined ORDER BY path;
MATCH ()-[r:CALLS]->() WITH r.lines AS lines, r.count AS n WHERE size(lines) <> n RETURN count(*) AS odd;
MATCH (a)-[r:CALLS]->(b:External) RETURN b.qualname AS callee, sum(size(r.lines)) AS sites, min(r.lines[0]) AS first ORDER BY sites DESC, callee LIMIT 20;

// == CASE, strings, numbers, null
MATCH (f:Function) RETURN DISTINCT CASE f.kind WHEN 'method' THEN 'm' WHEN 'function' THEN 'f' ELSE f.kind END AS k ORDER BY k;
MATCH (m:Module) RETURN m.path AS p, CASE WHEN m.is_test THEN 'test' WHEN m.docstring IS NULL THEN 'bare' END AS c ORDER BY p;
RETURN CASE 3 WHEN 1, 3, 5 THEN 'odd' ELSE 'even' END AS a, CASE 7 WHEN > 5 THEN 'big' ELSE 'small' END AS b;
MATCH (f:Function) RETURN substring(f.name, 0, 3) AS prefix, count(*) AS n ORDER BY n DESC, prefix LIMIT 10;
MATCH (m:Module) RETURN split(m.path, '/') AS parts, replace(m.path, '.py', '') AS bare, left(m.path, 3) AS l, right(m.path, 3) AS r, toUpper(m.name) AS u, reverse(m.name) AS v ORDER BY m.id;
RETURN trim('  a ') AS a, ltrim('  a') AS b, rtrim('a  ') AS c, toLower('ABC') AS d, size('héllo') AS e, 'a' + 'b' AS f, 'a' + 1 AS g, toString(12) AS h, toString(true) AS i, substring('hello', 1, 3) AS j, split('a,b,c', ',') AS k, 'abc' < 'abd' AS l, 'a' || 'b' AS m;
RETURN toInteger('12') AS a, toInteger('x') AS b, toInteger(3.7) AS c, toFloat('2.5') AS d, toBoolean('true') AS e, toInteger(null) AS f, abs(-3) AS g, sign(-2) AS h, ceil(2.1) AS i, floor(-2.1) AS j, round(2.5) AS k, round(-2.5) AS l, round(3.14159, 2) AS m, sqrt(16) AS n;
RETURN null = null AS a, null <> 1 AS b, null IS NULL AS c, coalesce(null, 2) AS d, null + 1 AS e, null AND false AS f, null OR true AS g, NOT null AS h, null IN [1] AS i, [null] = [null] AS j, {a: null}.a AS k;
RETURN 0.1 + 0.2 AS a, 1e3 AS b, 1.0 AS c, 10 / 4 AS d, 10 / 4.0 AS e, 1 = 1.0 AS f, 5 - 7.5 AS g, 9223372036854775807 AS h;
MATCH (m:Module) RETURN m.path AS p, round(m.importance, 2) AS r, toInteger(m.importance) AS i, ceil(m.importance) AS c ORDER BY p;
MATCH (m:Module) WHERE m.lines > 0 RETURN m.path AS p, round(toFloat(m.branches) / m.lines, 3) AS density ORDER BY density DESC, p;
MATCH (f:Function) RETURN f.id AS id, coalesce(f.docstring, f.summary, 'none') AS text ORDER BY id LIMIT 20;
RETURN 'its' = "its" AS a LIMIT 1;
RETURN 'it\'s' AS a, "double" AS b, 'tab\there' AS c, 'back\\slash' AS d, 'snow\u2603' AS e, 'new\nline' AS f;
MATCH (f:Function) WHERE isEmpty(f.decorators) OR f.decorators IS NULL RETURN count(*) AS n;

// == Maps and projections
MATCH (c:Class) RETURN c {.name, .path, methods: c.methods} AS class ORDER BY c.id LIMIT 10;
MATCH (c:Class) RETURN {name: c.name, place: {path: c.path, line: c.start_line}} AS class ORDER BY c.id LIMIT 10;
MATCH (c:Class)-[:DEFINES]->(f:Function) WITH c, collect(f {.name, .start_line}) AS methods RETURN c {.qualname, methods: size(methods)} AS class ORDER BY c.id;
MATCH (c:Class) WITH properties(c) AS p RETURN p.name AS name, p.path AS path ORDER BY path, name, p.start_line;
MATCH (c:Class) RETURN c.id AS id, size(keys(c)) > 5 AS many, 'name' IN keys(c) AS named ORDER BY id;
MATCH ()-[r:CALLS]->() RETURN DISTINCT [k IN keys(r) WHERE k IN ['count', 'how'] | k] = [] AS none;
MATCH (d:Document) RETURN d {.*} AS document ORDER BY d.id;
WITH {a: {b: [1, {c: 'deep'}]}} AS m RETURN m.a.b[1].c AS c, m.a.x AS x, m.y IS NULL AS y;

// == Variable-length paths
MATCH (c:Class)-[:INHERITS*]->(base) RETURN c.name AS class, base.name AS parent ORDER BY class, parent, c.id, base.id;
MATCH (c:Class)-[:INHERITS*0..2]->(x:Class) RETURN c.id AS c, x.id AS x ORDER BY c, x;
MATCH p = (r:Repository)-[:CONTAINS*]->(m:Module) RETURN m.path AS path, length(p) AS depth, [n IN nodes(p) | n.name] AS names ORDER BY path;
MATCH (f:Function)-[:CALLS*2]->(g:Function) RETURN count(*) AS pairs;
MATCH (f:Function)-[:CALLS*1..3]->(g:Function) WHERE f.name = 'query' RETURN DISTINCT g.id AS id ORDER BY id;
MATCH (a:Module)-[r:DEPENDS_ON*1..2]->(b:Module) WHERE a.name ENDS WITH 'store' RETURN b.path AS path, size(r) AS hops, [x IN r | x.weight] AS weights ORDER BY path, hops, weights[0], weights[1];
MATCH p = (a:Module)-[:DEPENDS_ON*1..3]->(a) RETURN DISTINCT a.path AS path ORDER BY path;
MATCH (c:Class)-[:DEFINES]->{1,2}(f:Function) RETURN c.id AS c, f.id AS f ORDER BY c, f;
MATCH (r:Repository)-[:CONTAINS]->+(d:Directory) RETURN d.path AS path ORDER BY path;
MATCH p = (m:Module)-[:DEFINES*1..2]->(f:Function) WHERE all(n IN nodes(p) WHERE n.is_test = false) RETURN m.path AS path, count(*) AS n ORDER BY path;
MATCH p = (f:Function)-[:CALLS*1..2]->(g:Function) WHERE none(r IN relationships(p) WHERE r.confidence < 0.9) RETURN count(p) AS sure;
MATCH (f:Function)<-[:CALLS*1..3]-(t:Function) WHERE f.name = 'render' RETURN DISTINCT t.qualname AS caller ORDER BY caller;
MATCH (a:Class)-[:INHERITS*1..2]-(b:Class) RETURN a.id AS a, b.id AS b, count(*) AS n ORDER BY a, b;

// == Shortest paths
MATCH (a:Function {name: 'main'}), (b:Function {name: 'close'}) MATCH p = shortestPath((a)-[:CALLS*..6]->(b)) RETURN a.id AS a, b.id AS b, length(p) AS l ORDER BY a, b;
MATCH (a:Module), (b:Module) WHERE a.name ENDS WITH 'gate' AND b.name ENDS WITH 'errors' MATCH p = shortestPath((a)-[:DEPENDS_ON*]->(b)) RETURN length(p) AS l;
MATCH (a:Module {name: 'graphstore.store'}), (b:Module) WHERE a <> b MATCH p = shortestPath((a)-[:IMPORTS*..5]->(b)) RETURN b.path AS path, length(p) AS l ORDER BY l, path;
MATCH (a:Module {name: 'graphstore.store'}), (b:Module {name: 'graphstore.model.schema'}) MATCH p = allShortestPaths((a)-[:IMPORTS*..5]->(b)) RETURN length(p) AS l, count(*) AS n;
MATCH (a:Class {name: 'Store'}), (b:Class {name: 'Node'}) OPTIONAL MATCH p = shortestPath((a)-[*..4]-(b)) RETURN length(p) AS l ORDER BY l;

// == Subqueries
MATCH (c:Class) WHERE EXISTS { (c)-[:DEFINES]->(f:Function) WHERE f.name STARTS WITH '__' } RETURN c.id ORDER BY c.id;
MATCH (f:Function) WHERE NOT EXISTS { MATCH (f)<-[:CALLS]-(g) WHERE g.path <> f.path } RETURN count(*) AS local;
MATCH (f:Function) WHERE EXISTS { MATCH (f)-[:CALLS]->(g:Function) WHERE EXISTS { MATCH (g)-[:CALLS]->(:External {qualname: 'builtins.len'}) } } RETURN f.id AS id ORDER BY id;
MATCH (f:Function) WHERE EXISTS { MATCH (f)-[:CALLS]->(g) MATCH (g)-[:CALLS]->(h) RETURN h } RETURN count(*) AS n;
MATCH (m:Module) WHERE EXISTS { MATCH (m)-[:DEFINES]->(f:Function) WITH count(f) AS n WHERE n > 8 RETURN n } RETURN m.path ORDER BY m.path;
MATCH (m:Module) RETURN m.path AS path, COUNT { (m)-[:DEFINES]->(:Class) } AS classes, COUNT { (m)-[:DEFINES]->(f:Function) WHERE NOT f.name STARTS WITH '_' } AS public ORDER BY path;
MATCH (c:Class) WHERE COUNT { (c)-[:DEFINES]->() } > 3 RETURN c.id ORDER BY c.id;
MATCH (c:Class) RETURN c.id AS id, COUNT { MATCH (c)-[:DEFINES]->(f) RETURN DISTINCT f.kind } AS kinds ORDER BY id;
MATCH (c:Class) RETURN c.id AS id, COLLECT { MATCH (c)-[:DEFINES]->(f:Function) RETURN f.name ORDER BY f.name LIMIT 2 } AS first ORDER BY id;
MATCH (m:Module) RETURN m.path AS path, COLLECT { MATCH (m)-[:DEFINES]->(c:Class) RETURN c.name } AS classes ORDER BY path;
MATCH (m:Module) WHERE size(COLLECT { MATCH (m)-[:DEFINES]->(c:Class) WHERE c.methods > 2 RETURN c }) > 0 RETURN m.path ORDER BY m.path;
MATCH (m:Module) CALL (m) { MATCH (m)-[:DEFINES]->(f:Function) RETURN f ORDER BY f.end_line - f.start_line DESC, f.id LIMIT 1 } RETURN m.path AS path, f.name AS longest ORDER BY path;
MATCH (m:Module) CALL { WITH m MATCH (m)-[:DEFINES]->(x) RETURN count(x) AS n } RETURN m.path AS path, n ORDER BY path;
CALL { MATCH (c:Class) RETURN c.name AS name UNION MATCH (m:Module) RETURN m.name AS name } RETURN count(name) AS n;
MATCH (c:Class) CALL (c) { OPTIONAL MATCH (c)-[:INHERITS]->(b) RETURN collect(b.name) AS bases } RETURN c.id AS id, size(bases) AS n ORDER BY id;
MATCH (f:Function) RETURN sum(COUNT { (f)<-[:CALLS]-() }) AS calls;
MATCH (c:Class) WITH c, COUNT { (c)-[:DEFINES]->() } AS n WHERE n > 0 AND EXISTS { (c)<-[:CALLS]-() } RETURN c.id AS id, n ORDER BY n DESC, id;
MATCH (c:Class) RETURN c.id AS id, CASE WHEN EXISTS { (c)-[:INHERITS]->() } THEN 'derived' ELSE 'root' END AS kind ORDER BY id;
MATCH (m:Module) OPTIONAL MATCH (m)-[:DEFINES]->(c:Class)<-[:CALLS]-(f) WHERE NOT COUNT { (c)-[:DEFINES]->(x:Function) } > 1 RETURN m.path AS path, c.name AS class, count(f) AS callers ORDER BY path, class;
MATCH (m:Module) OPTIONAL MATCH (m)-[:DEFINES]->(c:Class) WHERE c.methods > 3 OR COUNT { (c)-[:INHERITS]->(x:Class) } > 1 RETURN m.path AS path, count(c) AS n ORDER BY path;

// == Pattern comprehensions
MATCH (c:Class) RETURN c.id AS id, [(c)-[:DEFINES]->(f:Function) | f.name] AS methods ORDER BY id;
MATCH (c:Class) RETURN c.id AS id, size([(c)-[:DEFINES]->(f:Function) WHERE f.calls_in > 0 | f]) AS used ORDER BY id;
MATCH (f:Function) RETURN f.id AS id, size([(f)-[r:CALLS]->(g:Function {kind: 'method'}) | r.count]) AS n ORDER BY n DESC, id LIMIT 20;
MATCH (m:Module) RETURN m.path AS path, reduce(s = 0, n IN [(m)-[:DEFINES]->(f:Function) | f.end_line - f.start_line + 1] | s + n) AS lines ORDER BY path;
MATCH (m:Module) RETURN m.path AS path, [p = (m)-[:DEFINES]->(c:Class)-[:DEFINES]->(f) WHERE f.name = '__init__' | length(p)] AS l ORDER BY path;

// == UNION
MATCH (c:Class) RETURN c.name AS name, 'class' AS what UNION MATCH (m:Module) RETURN m.name AS name, 'module' AS what;
MATCH (c:Class) RETURN c.path AS path UNION ALL MATCH (f:Function) RETURN f.path AS path;
MATCH (c:Class) RETURN c.name AS a, 1 AS b UNION MATCH (d:Document) RETURN 2 AS b, d.name AS a;
RETURN 1 AS x UNION RETURN 1 AS x UNION RETURN 2 AS x;

// == Code questions
MATCH (f:Function) WHERE NOT f.is_test AND f.calls_in = 0 AND NOT (f)<-[:OVERRIDES|REFERENCES]-() AND f.entry_points IS NULL RETURN f.path AS path, f.qualname AS name ORDER BY path, name;
MATCH (a:Module)-[:DEPENDS_ON]->(b:Module)-[:DEPENDS_ON]->(a) WHERE a.path < b.path RETURN a.path AS a, b.path AS b ORDER BY a, b;
MATCH (f:Function)-[r:CALLS]->(g:Function) RETURN g.qualname AS name, count(DISTINCT f) AS fan_in, sum(r.count) AS sites ORDER BY fan_in DESC, sites DESC, name;
MATCH (m:Module)-[d:DEPENDS_ON]->(o:Module) WITH m, sum(d.weight) AS out MATCH (x:Module)-[e:DEPENDS_ON]->(m) RETURN m.path AS path, out, sum(e.weight) AS into ORDER BY into DESC, path;
MATCH (t:Function)-[:CALLS*1..3]->(f:Function) WHERE t.is_test RETURN f.id AS id, count(DISTINCT t) AS tests ORDER BY tests DESC, id LIMIT 10;
MATCH (f:Function)-[u:UNRESOLVED]->(n:Name) RETURN n.name AS name, sum(u.count) AS sites, collect(DISTINCT u.reason) AS reasons ORDER BY sites DESC, name LIMIT 20;
MATCH (r:Repository)-[:DEPENDS_ON]->(p:Package) RETURN p.name AS package ORDER BY package;
MATCH (m:Module)-[i:IMPORTS]->(e:External) WITH e.package AS package, collect(DISTINCT m.path) AS users, sum(size(i.lines)) AS lines RETURN package, size(users) AS users, lines ORDER BY users DESC, package;
MATCH (sub:Function)-[:OVERRIDES]->(base:Function)<-[:DEFINES]-(c:Class) RETURN c.name AS class, base.name AS method, count(sub) AS overrides ORDER BY overrides DESC, class, method;
MATCH (a:Function)-[r:CALLS]->(b:Function) WHERE split(a.path, '/')[0] <> split(b.path, '/')[0] RETURN split(a.path, '/')[0] AS a, split(b.path, '/')[0] AS b, count(*) AS n ORDER BY n DESC, a, b;
MATCH (f:Function) WITH f, f.end_line - f.start_line + 1 AS lines RETURN f.path AS path, max(lines) AS longest, avg(lines) AS mean, count(*) AS n ORDER BY longest DESC, path LIMIT 10;
MATCH (a)-[r:CALLS]->(b) WHERE startNode(r) = a AND endNode(r).name = b.name RETURN count(*) AS n;

// == Texts that look like lists, floats as text
MATCH (m:Module) WHERE m.name = '["schema.py"]' OR m.path IN ['["schema.py"]', 'values.py'] RETURN m.path ORDER BY m.path;
MATCH (m:Module {name: '["schema.py"]'}) RETURN count(m) AS n;
UNWIND ['x', '["x"]', '["x","y"]', '[1]', '', '[""]', null] AS a UNWIND ['x', '["x"]', '', '[1]', '1', null] AS b RETURN a, b, a = b AS same, a <> b AS other, a IN [b, 'y'] AS member, nullIf(a, b) AS rest, CASE a WHEN b THEN 1 WHEN 'x' THEN 2 ELSE 3 END AS chosen;
//$ {"names": ["[\"run\"]", "check"]}
MATCH (f:Function) WHERE f.name IN $names RETURN f.qualname AS name ORDER BY name;
MATCH (m:Module) RETURN m.path AS path, toString(round(m.importance, 2)) AS importance, m.name + ': ' + round(m.importance * 100, 1) AS label ORDER BY path;
UNWIND [0.001, 0.5, 1.0, 2, 123456.789, 9999999.0, -0.25, 0.0, null] AS x RETURN toString(x) AS text, 'v' + x AS joined;
