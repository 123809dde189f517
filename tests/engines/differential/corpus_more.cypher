// More reading queries, found by asking both engines beside each other; the form is that of corpus.cypher.

// == Questions to a code graph
MATCH (c:Class) OPTIONAL MATCH (c)-[:INHERITS]->(b:Class) WITH b WITH *, count(*) AS n RETURN b.id AS b, n ORDER BY n DESC, b;
MATCH (c:Class)-[:INHERITS]->(b:Class) WITH b WITH DISTINCT * RETURN count(*) AS n;
MATCH (c:Class) OPTIONAL MATCH (c)-[:INHERITS]->(b:Class) WITH b WITH *, count(*) AS n CALL (b) { MATCH (b)-[:DEFINES]->(f) RETURN count(f) AS x } RETURN n, x ORDER BY n, x;
UNWIND [null, 1, 1, null, 2] AS k WITH k, count(*) AS n CALL (k) { RETURN coalesce(k, 0) + 1 AS x } RETURN k, n, x ORDER BY x;
MATCH (m:Module) OPTIONAL MATCH (m)-[:DEFINES]->(c:Class) WITH m, c, count(*) AS n CALL (m, c) { OPTIONAL MATCH (c)-[r:DEFINES]->() RETURN count(r) AS x } RETURN m.id AS m, c.id AS c, n, x ORDER BY m, c;
MATCH (f:Function) WHERE f.calls_out > 10 RETURN f.qualname AS name, f.calls_out AS out, f.branches AS branches ORDER BY out DESC, name LIMIT 10;
MATCH (m:Module) RETURN m.language AS language, count(*) AS files, sum(m.lines) AS loc, round(avg(m.lines), 1) AS mean, max(m.lines) AS most ORDER BY loc DESC;
MATCH (c:Class) WHERE size(c.bases) > 1 RETURN c.qualname AS c, c.bases AS bases ORDER BY c;
MATCH (c:Class)-[i:INHERITS]->(b) RETURN c.name AS c, b.name AS b, i.position AS p, i.how AS how ORDER BY c, p, b;
MATCH (f:Function) WHERE f.signature CONTAINS 'self' RETURN count(*) AS n;
MATCH (f:Function) RETURN f.name AS name, size(split(f.signature, ',')) AS parts ORDER BY parts DESC, name, f.id LIMIT 15;
MATCH (f:Function) WHERE f.is_generator OR f.is_async OR f.is_abstract RETURN f.id AS id, f.is_generator AS g, f.is_async AS a, f.is_abstract AS x ORDER BY id;
MATCH (a:Module)-[i:IMPORTS]->(b:Module) UNWIND i.names AS name RETURN b.path AS path, name, count(*) AS n ORDER BY n DESC, path, name LIMIT 30;
MATCH (a:Module)-[i:IMPORTS]->(b) RETURN labels(b)[0] AS kind, i.how AS how, count(*) AS n, avg(i.confidence) AS c ORDER BY kind, how;
MATCH (d:Directory) OPTIONAL MATCH (d)-[:CONTAINS]->(m:Module) RETURN d.path AS path, count(m) AS modules, coalesce(sum(m.lines), 0) AS lines ORDER BY path;
MATCH (d:Directory)-[:CONTAINS*0..]->(x:Module) WITH d, collect(x) AS xs RETURN d.path AS path, size(xs) AS n, reduce(s = 0, x IN xs | s + x.lines) AS lines ORDER BY path, n, lines;
MATCH (m:Module) WITH percentileCont(m.lines, 0.5) AS median RETURN median;
MATCH (m:Module) WITH m ORDER BY m.lines WITH collect(m.lines) AS l RETURN l[size(l) / 2] AS median;
MATCH (m:Module) WITH m ORDER BY m.lines DESC, m.id WITH collect(m) AS ms RETURN [x IN ms[0..3] | x.path] AS top, [x IN ms[-2..] | x.path] AS bottom;
MATCH (f:Function) WITH f.name AS name, collect(DISTINCT f.path) AS paths WHERE size(paths) > 2 RETURN name, size(paths) AS n ORDER BY n DESC, name;
MATCH (f:Function) WITH f.name AS name, count(*) AS n WHERE n > 3 AND NOT name STARTS WITH '__' RETURN name, n ORDER BY n DESC, name;
MATCH (a:Function)-[:CALLS]->(b:Function)-[:CALLS]->(c:Function)-[:CALLS]->(a) RETURN count(*) AS triangles;
MATCH (a:Function)-[:CALLS]->(b:Function) WHERE (b)-[:CALLS]->(a) AND a.id < b.id RETURN a.qualname AS a, b.qualname AS b ORDER BY a, b;
MATCH (c:Class) WHERE NOT (c)-[:INHERITS]->() RETURN count(c) AS roots;
MATCH (c:Class) WHERE NOT EXISTS((c)<-[:CALLS]-()) RETURN c.id AS id ORDER BY id;
MATCH (c:Class) RETURN c.id AS id, size([(c)-[:DEFINES]->(m) | m]) - c.methods AS odd ORDER BY odd DESC, id LIMIT 5;
MATCH (c:Class) RETURN c.name AS name, [(c)-[:DEFINES]->(m:Function) WHERE m.name STARTS WITH '__' | m.name] AS dunders ORDER BY c.id;
MATCH (e:External) WHERE e.qualname STARTS WITH 'builtins.' MATCH (e)<-[r:CALLS]-() RETURN e.name AS name, sum(r.count) AS n ORDER BY n DESC, name LIMIT 10;
MATCH (e:External) RETURN e.package AS package, count(*) AS names ORDER BY names DESC, package LIMIT 20;
MATCH (f:Function)-[r:CALLS]->(g) RETURN r.how AS how, round(avg(r.confidence), 6) AS c, count(*) AS n ORDER BY n DESC, how;
MATCH (f:Function)-[r:CALLS]->(g) WHERE r.confidence >= 0.5 AND r.confidence < 0.95 RETURN f.qualname AS f, g.name AS g, r.confidence AS c ORDER BY c, f, g;
MATCH (f:Function)-[r:CALLS]->(g) WITH f, count(DISTINCT g) AS fanout, sum(r.count) AS sites RETURN f.id AS id, fanout, sites, 1.0 * sites / fanout AS ratio ORDER BY ratio DESC, id LIMIT 12;
MATCH (f:Function) WITH avg(f.branches) AS mean, f.kind AS kind RETURN kind, mean ORDER BY kind;
MATCH (f:Function) RETURN f.kind AS kind, stdev(f.branches) AS s ORDER BY kind;
MATCH (m:Module) RETURN m.path AS path, [m.complexity, m.usage, m.semantic] AS scores ORDER BY path;
MATCH (m:Module) RETURN m.path AS p, m.complexity + m.usage + m.semantic AS s ORDER BY s DESC, p;
MATCH (m:Module) RETURN m.path AS p, m.exports AS e ORDER BY p;
MATCH (m:Module) WHERE m.exports IS NOT NULL UNWIND m.exports AS e RETURN m.path AS p, e ORDER BY p, e;
MATCH (m:Module) RETURN m.path AS p, size(m.exports) AS n ORDER BY n DESC, p;
MATCH (r:Repository) RETURN r;
MATCH (r:Repository) RETURN r.languages AS l, r.files AS f, r.commit IS NULL AS c, r.dirty AS d;
MATCH (r:Repository) RETURN keys(r) AS k;
MATCH (n) RETURN DISTINCT labels(n) AS l, size(keys(n)) AS k ORDER BY l[0], k;
MATCH (n:Function) RETURN properties(n) AS p ORDER BY n.id LIMIT 3;
MATCH (n:Function) RETURN n{.*} AS p ORDER BY n.id LIMIT 3;
MATCH (n:Function) RETURN n{.*, extra: 1, name: 'other'} AS p ORDER BY n.id LIMIT 3;
MATCH (n:Function) WITH n, n.name AS called RETURN n{.id, called} AS p ORDER BY n.id LIMIT 3;
MATCH (n:Function) RETURN n{.nothing, .id} AS p ORDER BY n.id LIMIT 3;
MATCH ()-[r:CALLS]->() RETURN r{.*} AS p, r.count AS c ORDER BY c DESC, p.how LIMIT 1;
MATCH ()-[r:CALLS]->() WITH r, type(r) AS t RETURN r{.count, t: t} AS p ORDER BY r.count DESC LIMIT 1;
MATCH p = (m:Module)-[:DEFINES]->(c:Class)-[:DEFINES]->(f:Function) RETURN [n IN nodes(p) | labels(n)[0] + ':' + n.name] AS steps, length(p) AS l ORDER BY steps[0], steps[1], steps[2] LIMIT 10;
MATCH p = (m:Module)-[:DEFINES]->(c:Class) RETURN [r IN relationships(p) | type(r)] AS t, nodes(p)[0].path AS path, head(nodes(p)).name AS h, last(nodes(p)).name AS l ORDER BY path, l;
MATCH p = (m:Module)-[:DEFINES*1..2]->(f:Function) RETURN length(p) AS l, count(*) AS n ORDER BY l;
MATCH p = (a:Class)-[:INHERITS*]->(b) WHERE NOT (b)-[:INHERITS]->() RETURN [x IN nodes(p) | x.name] AS chain, length(p) AS depth ORDER BY depth DESC, chain[0], chain[1];
MATCH (a:Class)-[:INHERITS*1..]->(b:Class) WITH b, count(DISTINCT a) AS n RETURN b.qualname AS b, n ORDER BY n DESC, b;
MATCH (a:Function {name: 'check'})-[:CALLS*1..2]->(b) RETURN DISTINCT labels(b)[0] AS l, b.name AS n ORDER BY l, n;
MATCH (a:Function)-[r:CALLS*2..2]->(b:Function) WHERE a.name = 'query' RETURN [x IN r | x.count] AS counts, b.qualname AS b ORDER BY b, counts;
MATCH (a:Module)-[:IMPORTS*1..2]->(b:External) RETURN b.qualname AS b, count(DISTINCT a) AS n ORDER BY n DESC, b LIMIT 20;
MATCH (a:Module {path: 'quarry/graphstore/store.py'})-[:DEPENDS_ON*1..3]->(b) RETURN b.path AS p, count(*) AS ways ORDER BY ways DESC, p;
MATCH p = shortestPath((a:Module {path: 'quarry/graphstore/store.py'})-[:DEPENDS_ON*1..5]->(b:Module {path: 'quarry/graphstore/errors.py'})) RETURN length(p) AS l;
MATCH p = allShortestPaths((a:Module {path: 'quarry/graphstore/store.py'})-[:DEPENDS_ON*..5]->(b:Module {path: 'quarry/graphstore/model/values.py'})) RETURN length(p) AS l, count(p) AS n;
MATCH (a:Module), (b:Module) WHERE a.path < b.path AND a.lines > 300 AND b.lines > 300 MATCH p = shortestPath((a)-[:DEPENDS_ON*..6]-(b)) RETURN a.path AS a, b.path AS b, length(p) AS l ORDER BY a, b;
MATCH (a:Module) WHERE a.path ENDS WITH 'gate.py' MATCH p = shortestPath((a)-[:DEPENDS_ON*..6]->(b:Module)) WHERE b.path ENDS WITH 'tokens.py' AND length(p) > 0 RETURN size([n IN nodes(p) | n.path]) AS stops, last(nodes(p)).path AS b ORDER BY b;
MATCH p = shortestPath((a:Class {name: 'KgliteEngine'})-[*..4]-(b:Class {name: 'Neo4jEngine'})) RETURN length(p) AS l;
MATCH (a:Function)-[:CALLS]->+(b:Function) WHERE a.name = 'check' RETURN count(DISTINCT b) AS n;
MATCH (a:Class)-[:INHERITS]->*(b) WHERE a.name ENDS WITH 'Error' RETURN a.name AS a, b.name AS b ORDER BY a, b;
MATCH (a:Function)-[:CALLS]->{2}(b:Function) RETURN count(*) AS n;
MATCH (a:Function)-[:CALLS]->{,2}(b:Function) WHERE a.name = 'run' RETURN count(*) AS n;
MATCH (a:Class)-[:DEFINES|CALLS]->(b) RETURN labels(b)[0] AS l, count(*) AS n ORDER BY l;
MATCH (a)-[r:CALLS|!IMPORTS]->(b) RETURN type(r) AS t, count(*) AS n ORDER BY t;
MATCH (n:Class|Module WHERE n.name CONTAINS 'e') RETURN n.name AS n ORDER BY n;
MATCH (n:Function&Class) RETURN count(*) AS n;
MATCH (n IS Function) RETURN count(*) AS n;
MATCH (n:(Class|Function)&!Module) RETURN count(*) AS n;
MATCH (n) WHERE n:Class|Function RETURN count(*) AS n;
MATCH ()-[r]->() WHERE r:CALLS|IMPORTS RETURN type(r) AS t, count(*) AS n ORDER BY t;
MATCH (f:Function) WHERE f.name IS :: STRING NOT NULL RETURN count(*) AS n;
MATCH (f:Function) RETURN DISTINCT valueType(f.name) AS t, valueType(f.docstring) AS d, valueType(f.decorators) AS l ORDER BY t, d, l;
MATCH (f:Function) RETURN DISTINCT valueType(f.branches) AS a, valueType(f.is_test) AS b, valueType(f) AS c;
RETURN valueType(1) AS a, valueType(1.0) AS b, valueType('a') AS c, valueType(null) AS d, valueType([1]) AS e, valueType([1, 'a']) AS f, valueType({a: 1}) AS g, valueType(true) AS h, valueType([]) AS i;
RETURN 1 IS :: INTEGER AS a, 1.0 IS :: INTEGER AS b, 'a' IS TYPED STRING AS c, null IS :: STRING AS d, null IS :: STRING NOT NULL AS e, 1 IS NOT :: STRING AS f, 1 IS :: INTEGER | STRING AS g, 1 IS :: FLOAT AS h;
MATCH (f:Function) CALL (f) { MATCH (f)-[:CALLS]->(g) RETURN count(g) AS n } WITH f, n WHERE n > 5 RETURN f.id AS id, n ORDER BY n DESC, id;
MATCH (f:Function) WHERE f.name = 'run' CALL (f) { MATCH (f)-[:CALLS]->(g) RETURN g.name AS g UNION MATCH (f)<-[:CALLS]-(g) RETURN g.name AS g } RETURN f.id AS id, g ORDER BY id, g;
MATCH (c:Class) CALL (c) { MATCH (c)-[:DEFINES]->(m) RETURN m.name AS first ORDER BY m.start_line LIMIT 1 } RETURN c.name AS c, first ORDER BY c, first;
CALL () { MATCH (f:Function) RETURN count(f) AS fs } CALL () { MATCH (c:Class) RETURN count(c) AS cs } RETURN fs, cs;
UNWIND range(1, 3) AS i CALL (i) { RETURN i * 2 AS j UNION ALL RETURN i * 3 AS j } RETURN i, j ORDER BY i, j;
UNWIND [1, 2, 3] AS i CALL { WITH i RETURN sum(i) AS s } RETURN i, s ORDER BY i;
MATCH (m:Module) WHERE COUNT { (m)-[:DEFINES]->() } = COUNT { (m)-[:DEFINES]->(:Function) } RETURN m.path AS p ORDER BY p;
MATCH (m:Module) WITH m, COUNT { (m)<-[:DEPENDS_ON]-() } AS into, COUNT { (m)-[:DEPENDS_ON]->() } AS out RETURN m.path AS p, into, out, CASE WHEN into + out = 0 THEN null ELSE round(1.0 * out / (into + out), 2) END AS instability ORDER BY p;
MATCH (m:Module) RETURN m.path AS p, EXISTS { (m)-[:DEFINES]->(:Class) } AS has ORDER BY p;
MATCH (m:Module) RETURN EXISTS { (m)-[:DEFINES]->(:Class) } AS has, count(*) AS n ORDER BY has;
MATCH (m:Module) RETURN COUNT { (m)-[:DEFINES]->(:Class) } AS classes, count(*) AS n ORDER BY classes;
MATCH (c:Class) RETURN c.id AS id, COLLECT { MATCH (c)-[:DEFINES]->(f) WHERE f.calls_in > 1 RETURN f.name ORDER BY f.calls_in DESC, f.name } AS l ORDER BY id;
MATCH (c:Class) WHERE size(COLLECT { MATCH (c)-[:DEFINES]->(f) RETURN f.name }) > 5 RETURN c.id AS id ORDER BY id;
MATCH (c:Class) WHERE 'close' IN COLLECT { MATCH (c)-[:DEFINES]->(f) RETURN f.name } RETURN c.id AS id ORDER BY id;
MATCH (f:Function) WHERE EXISTS { (f)-[:CALLS]->(g) WHERE g.path <> f.path } AND NOT EXISTS { (f)<-[:CALLS]-() } RETURN count(*) AS n;
MATCH (f:Function) RETURN CASE WHEN EXISTS { (f)<-[:CALLS]-() } THEN 'used' ELSE 'unused' END AS k, count(*) AS n ORDER BY k;
MATCH (f:Function) WHERE EXISTS { MATCH (f)-[:CALLS]->(g) RETURN g UNION MATCH (f)<-[:CALLS]-(g) RETURN g } RETURN count(*) AS n;
MATCH (f:Function) WHERE COUNT { MATCH (f)-[:CALLS]->(g) RETURN g.name AS n UNION MATCH (f)<-[:CALLS]-(g) RETURN g.name AS n } > 4 RETURN f.id AS id ORDER BY id;
MATCH (f:Function)-[:CALLS]->(g) WITH f, g ORDER BY g.name WITH f, collect(g.name)[0..3] AS first RETURN f.id AS id, first ORDER BY id LIMIT 20;
MATCH (f:Function) RETURN f.path AS path, count(*) AS n, collect(f.kind)[0] IS NULL AS x ORDER BY n DESC, path SKIP 2 LIMIT 3;
MATCH (f:Function) WITH f.path AS path, f.kind AS kind, count(*) AS n ORDER BY n DESC, kind RETURN path, collect({kind: kind, n: n}) AS kinds ORDER BY path;
MATCH (f:Function) WITH f.path AS path, f.kind AS kind, count(*) AS n ORDER BY path, n DESC, kind WITH path, collect(kind + '=' + n) AS k RETURN path, k ORDER BY path;
MATCH (m:Module) RETURN m.path AS p, CASE m.language WHEN 'python' THEN 'py' ELSE 'other' END AS l, CASE WHEN m.lines IS NULL THEN -1 WHEN m.lines >= 100 THEN m.lines / 100 * 100 ELSE 0 END AS bucket ORDER BY p;
MATCH (m:Module) WITH m.lines / 50 AS bucket, count(*) AS n RETURN bucket * 50 AS from, n ORDER BY from;
MATCH (m:Module) RETURN toInteger(floor(m.lines / 50.0)) AS bucket, count(*) AS n ORDER BY bucket;
MATCH (m:Module) RETURN sum(m.lines) / count(*) AS mean, toFloat(sum(m.lines)) / count(*) AS exact;
MATCH (m:Module) RETURN min(m.path) AS a, max(m.path) AS b, min(m.importance) AS c, count(DISTINCT m.language) AS d, sum(m.importance) > 1 AS e;
MATCH (f:Function) RETURN count(f.nothing) AS a, collect(f.nothing) AS b, sum(f.nothing) AS c, min(f.nothing) AS d, avg(f.nothing) AS e;
MATCH (f:Function) RETURN f.path + ':' + f.start_line AS place ORDER BY place LIMIT 20;
MATCH (f:Function) RETURN f.path + ':' + toString(f.start_line) + '-' + toString(f.end_line) AS place ORDER BY place LIMIT 20;
MATCH (f:Function) RETURN left(f.docstring, 20) AS d, size(f.docstring) AS s ORDER BY s DESC, d LIMIT 10;
MATCH (f:Function) WHERE f.docstring =~ '(?s).*Raises:.*' RETURN count(*) AS n;
MATCH (f:Function) WHERE f.docstring CONTAINS '\n' RETURN count(*) AS n;
MATCH (f:Function) WHERE f.name =~ '^_[^_].*$' RETURN count(*) AS n;
MATCH (f:Function) WHERE f.name =~ '(get|set)_\\w+' RETURN f.name AS n ORDER BY n;
MATCH (f:Function) WHERE f.name =~ '.{1,3}' RETURN DISTINCT f.name AS n ORDER BY n;
MATCH (f:Function) WHERE f.name =~ '(?i)CHECK.*' RETURN DISTINCT f.name AS n ORDER BY n;
MATCH (f:Function) WHERE f.name =~ '[A-Z].*' OR f.name =~ '.*\\d' RETURN DISTINCT f.name AS n ORDER BY n;
MATCH (f:Function) WHERE f.qualname =~ '\\w+\\.\\w+' RETURN count(*) AS n;
MATCH (f:Function) WITH split(f.qualname, '.') AS parts RETURN size(parts) AS depth, count(*) AS n ORDER BY depth;
MATCH (f:Function) WITH split(f.name, '_') AS words UNWIND words AS w WITH w WHERE w <> '' RETURN w, count(*) AS n ORDER BY n DESC, w LIMIT 25;
MATCH (f:Function) UNWIND split(toLower(f.name), '_') AS w WITH w WHERE size(w) > 3 RETURN w, count(*) AS n ORDER BY n DESC, w LIMIT 25;
MATCH (f:Function) RETURN reduce(n = 0, w IN split(f.name, '_') | n + size(w)) AS l, count(*) AS n ORDER BY l;
MATCH (f:Function) WITH f, [w IN split(f.name, '_') WHERE size(w) > 0 | left(w, 1)] AS initials RETURN reduce(s = '', i IN initials | s + i) AS short, count(*) AS n ORDER BY n DESC, short LIMIT 10;

// == More questions to a code graph
MATCH (f:Function) WHERE f.name = 'main' OR f.name STARTS WITH 'main_' RETURN f.path, f.start_line ORDER BY f.path, f.start_line;
MATCH (f:Function)<-[:DEFINES]-(owner) RETURN labels(owner)[0] AS owner, f.kind AS kind, count(*) AS n ORDER BY n DESC, owner, kind;
MATCH (c:Class)-[:DEFINES]->(m:Function) WITH c, count(m) AS methods, sum(m.end_line - m.start_line + 1) AS lines RETURN c.qualname AS class, methods, lines, lines / methods AS mean ORDER BY lines DESC, class LIMIT 10;
MATCH (c:Class)-[:DEFINES]->(m:Function) WITH c, collect(m) AS ms WHERE size(ms) >= 3 AND all(m IN ms WHERE m.docstring IS NOT NULL) RETURN c.qualname AS c ORDER BY c;
MATCH (c:Class)-[:DEFINES]->(m:Function) WITH c, collect(m.name) AS names WHERE '__enter__' IN names AND '__exit__' IN names RETURN c.qualname AS c ORDER BY c;
MATCH (c:Class) WHERE NOT (c)-[:DEFINES]->(:Function {name: '__init__'}) RETURN count(c) AS n;
MATCH (m:Module) WHERE m.path CONTAINS '/engines/' OPTIONAL MATCH (m)-[:DEFINES]->(c:Class) RETURN m.path AS path, collect(c.name) AS classes ORDER BY path;
MATCH (m:Module)-[:IMPORTS]->(e:External) WHERE e.package IN ['kglite', 'neo4j'] RETURN m.path AS path, collect(DISTINCT e.package) AS packages ORDER BY path;
MATCH (a:Module)-[:IMPORTS]->(b:Module) WHERE a.path STARTS WITH 'quarry/graphstore/engines/' AND b.path STARTS WITH 'quarry/graphstore/model/' RETURN a.path, b.path;
MATCH (a:Module)-[:DEPENDS_ON]->(b:Module) RETURN split(a.path, '/')[-2] AS a, split(b.path, '/')[-2] AS b, count(*) AS n ORDER BY n DESC, a, b LIMIT 15;
MATCH (f:Function) WHERE f.calls_in = 0 AND NOT f.name STARTS WITH '_' AND NOT EXISTS { (f)<-[:OVERRIDES]-() } RETURN f.path AS p, collect(f.name) AS names ORDER BY p;
MATCH path = (a:Function)-[:CALLS*2..4]->(b:Function) WHERE a.name = 'check' AND b.name = 'refuse' RETURN DISTINCT length(path) AS l ORDER BY l;
MATCH (a:Function {name: 'check'}) OPTIONAL MATCH (a)-[:CALLS*1..2]->(b:Function) WHERE b.path <> a.path RETURN a.path AS p, count(DISTINCT b) AS n ORDER BY p;
MATCH (f:Function) WITH f ORDER BY f.end_line - f.start_line DESC, f.id LIMIT 5 MATCH (f)-[:CALLS]->(g) RETURN f.qualname AS f, count(DISTINCT g) AS callees, collect(DISTINCT g.name)[..3] IS NOT NULL AS some ORDER BY callees DESC, f;
MATCH (n) WHERE n.path IS NOT NULL WITH split(n.path, '/')[1] AS part, labels(n)[0] AS label, count(*) AS n RETURN part, label, n ORDER BY n DESC, part, label LIMIT 20;
MATCH (n) WHERE n.name =~ '.*[Ee]rror.*' RETURN labels(n)[0] AS l, n.name AS name ORDER BY l, name LIMIT 40;
MATCH (n) WHERE toLower(n.name) CONTAINS 'limit' RETURN labels(n) AS l, n.name AS name, n.id AS id ORDER BY id;
MATCH (a)-[r]->(b) WHERE a.repository <> b.repository RETURN count(r) AS n;
MATCH (a)-[r]-(b) WHERE a.name = 'kglite' RETURN DISTINCT type(r) AS t, startNode(r).name = a.name AS out ORDER BY t, out;
MATCH ()-[r]->() RETURN type(r) AS t, count(r) AS n, count(DISTINCT r) AS d, collect(DISTINCT type(r)) AS l ORDER BY n DESC, t;
MATCH (a)-[r:CALLS]->(b) WITH a, b, r.count AS n ORDER BY n DESC, a.id, b.id LIMIT 5 RETURN a.name AS a, b.name AS b, n;
MATCH (a:Function)-[r:CALLS]->(b) RETURN a.qualname AS f, sum(r.count) AS sites, sum(r.count) * 1.0 / count(r) AS mean, max(r.count) - min(r.count) AS spread ORDER BY sites DESC, f LIMIT 10;
MATCH (a:Function)-[r:CALLS]->(b) WITH a, r, b WHERE any(l IN r.lines WHERE l > 300) RETURN a.path AS p, b.name AS b, [l IN r.lines WHERE l > 300] AS late ORDER BY p, b, late;
MATCH (a:Function)-[r:CALLS]->(b) RETURN a.path AS p, min(r.lines[0]) AS first, max(r.lines[-1]) AS last ORDER BY p;
MATCH (a:Function)-[r:CALLS]->(b) UNWIND r.lines AS line RETURN a.path AS p, count(line) AS n, count(DISTINCT line) AS d ORDER BY n DESC, p LIMIT 10;
MATCH (f:Function)-[u:UNRESOLVED]->(n:Name) RETURN u.reason AS reason, count(*) AS edges, sum(u.count) AS sites ORDER BY sites DESC, reason;
MATCH (n:Name)<-[u:UNRESOLVED]-(f) WITH n, count(DISTINCT f) AS callers WHERE callers > 3 RETURN n.name AS n, callers ORDER BY callers DESC, n;
MATCH (n:Name) WHERE EXISTS { MATCH (f:Function) WHERE f.name = n.name } RETURN count(n) AS n;
MATCH (n:Name) WITH n, COUNT { MATCH (f:Function) WHERE f.name = n.name } AS candidates RETURN n.name AS n, candidates ORDER BY candidates DESC, n LIMIT 10;
MATCH (c:Class)-[:INHERITS]->(b) WITH b.name AS base, collect(c.name) AS subs RETURN base, size(subs) AS n, reduce(longest = '', s IN subs | CASE WHEN size(s) > size(longest) THEN s ELSE longest END) IS NOT NULL AS x ORDER BY n DESC, base;
MATCH (c:Class) RETURN c.kind AS kind, c.is_core AS core, count(*) AS n, round(avg(c.importance), 2) AS i ORDER BY kind, core;
MATCH (c:Class) WHERE c.is_core RETURN c.qualname AS c, c.importance > 2 AS high ORDER BY c;
MATCH (c:Class) RETURN CASE WHEN c.methods = 0 THEN 'none' WHEN c.methods < 5 THEN 'few' ELSE 'many' END AS size, count(*) AS n, max(c.importance) AS i ORDER BY size;
MATCH (m:Module) WITH m.class_count AS c, m.function_count AS f, count(*) AS n RETURN c, f, n ORDER BY n DESC, c, f LIMIT 10;
MATCH (m:Module) RETURN m.path AS p, m.class_count + m.function_count AS total, m.class_count * 100 / (m.class_count + m.function_count + 1) AS pct ORDER BY total DESC, p LIMIT 10;
MATCH (m:Module) WHERE m.branches > 0 RETURN m.path AS p, m.lines / m.branches AS a, m.lines % m.branches AS b, 1.0 * m.lines / m.branches AS c ORDER BY c, p LIMIT 10;
MATCH (m:Module) WITH collect(m.lines) AS l RETURN reduce(s = 0, x IN l | s + x) AS sum, reduce(m = 0, x IN l | CASE WHEN x > m THEN x ELSE m END) AS max, size(l) AS n;
MATCH (m:Module) WITH m.lines AS l ORDER BY l WITH collect(l) AS ls RETURN ls[toInteger(size(ls) * 0.9)] AS p90, ls[0] AS least, ls[-1] AS most, ls[size(ls) / 4] AS q1;
MATCH (m:Module) WITH avg(m.lines) AS mean, collect(m) AS ms UNWIND ms AS m WITH m, mean WHERE m.lines > 3 * mean RETURN m.path AS p, m.lines AS l ORDER BY l DESC, p;
MATCH (m:Module) WITH count(m) AS n, sum(m.lines) AS s, sum(m.lines * m.lines) AS q RETURN n, round(sqrt(1.0 * q / n - (1.0 * s / n) ^ 2), 3) AS deviation;
MATCH (d:Document) RETURN d.format AS f, d.heading AS h, d.lines AS l, d.name AS n ORDER BY n;
MATCH (d:Directory)-[:CONTAINS]->(x) RETURN d.path AS d, [l IN labels(x) WHERE l <> 'x'][0] AS l, count(*) AS n ORDER BY d, l;
MATCH (r:Repository)-[:CONTAINS]->(d:Directory) WHERE NOT (d)<-[:CONTAINS]-(:Directory) RETURN d.path AS p ORDER BY p;
// no rows
MATCH (n) WHERE NOT (n)--() RETURN labels(n) AS l, n.name AS n ORDER BY n;
MATCH (n) WHERE size([(n)-[:CALLS]->(x) | x]) > 25 RETURN n.id AS id ORDER BY id;
MATCH (n:Class|Function) WHERE n.docstring IS NULL RETURN labels(n)[0] AS l, n.kind AS k, count(*) AS n ORDER BY n DESC, l, k;
MATCH (n:Class|Function) RETURN labels(n)[0] AS l, count(n.docstring) * 100 / count(*) AS pct ORDER BY l;
MATCH (f:Function) RETURN f.is_async AS a, f.is_generator AS g, f.is_abstract AS b, count(*) AS n ORDER BY n DESC, a, g, b;
MATCH (f:Function) WHERE f.decorators <> [] RETURN f.decorators AS d, count(*) AS n ORDER BY n DESC, d[0], d[1];
MATCH (f:Function) WHERE f.decorators = ['property'] RETURN count(*) AS n;
MATCH (f:Function) WHERE f.entry_points IS NOT NULL RETURN f.id AS id, f.entry_points AS e ORDER BY id;
MATCH (f:Function) WHERE size(coalesce(f.entry_points, [])) = 0 RETURN count(*) AS n;
MATCH (f:Function) WHERE coalesce(f.docstring, '') = '' RETURN count(*) AS n;
MATCH (f:Function) RETURN coalesce(f.summary, f.docstring, f.name) AS text, count(*) AS n ORDER BY n DESC, text LIMIT 5;
MATCH (f:Function) WITH f.name AS n, count(*) AS c ORDER BY c DESC, n SKIP 5 LIMIT 5 RETURN collect(n + ':' + c) AS top;
MATCH (f:Function) RETURN substring(f.name, size(f.name) - 1) AS last, count(*) AS n ORDER BY n DESC, last LIMIT 5;
MATCH (f:Function) WHERE f.name STARTS WITH '_' RETURN substring(f.name, 1) AS bare, replace(f.name, '_', '') AS none ORDER BY bare LIMIT 10;
MATCH (f:Function) WHERE f.signature IS NOT NULL RETURN f.signature AS s, split(replace(replace(f.signature, '(', ''), ')', ''), ', ') AS parts ORDER BY f.id LIMIT 10;
MATCH (f:Function) WITH f, size(split(f.signature, ',')) AS args RETURN args, count(*) AS n ORDER BY args;
MATCH (a:Function), (b:Function) WHERE a.name = b.name AND a.path = b.path AND a.id < b.id RETURN a.path AS p, a.name AS n, count(*) AS c ORDER BY p, n LIMIT 20;
MATCH (a:Class), (b:Class) WHERE a.id < b.id AND any(x IN a.bases WHERE x IN b.bases) RETURN count(*) AS n;
MATCH (a:Class)-[:INHERITS]->(x)<-[:INHERITS]-(b:Class) WHERE a.id < b.id RETURN x.name AS x, count(*) AS siblings ORDER BY siblings DESC, x;
MATCH (a:Class)-[:DEFINES]->(m)-[:OVERRIDES]->(n)<-[:DEFINES]-(b:Class) RETURN a.name + '.' + m.name AS m, b.name AS b ORDER BY m, b;
MATCH (t:Function) WHERE t.is_test RETURN count(t) AS n;
UNWIND ['Module', 'Class', 'Function'] AS label MATCH (n) WHERE label IN labels(n) RETURN label, count(n) AS n ORDER BY label;
UNWIND [1, 2, 3] AS hops MATCH p = (:Module {path: 'quarry/graphstore/store.py'})-[:DEPENDS_ON*1..3]->(b) WHERE length(p) = hops RETURN hops, count(DISTINCT b) AS n ORDER BY hops;
UNWIND range(0, 3) AS i MATCH (m:Module) WHERE m.lines >= i * 100 AND m.lines < (i + 1) * 100 RETURN i * 100 AS from, count(m) AS n ORDER BY from;
WITH ['store', 'engine'] AS words MATCH (m:Module) WHERE any(w IN words WHERE m.path CONTAINS w) RETURN m.path AS p ORDER BY p;
WITH 100 AS least MATCH (m:Module) WHERE m.lines > least WITH m, least RETURN m.path AS p, m.lines - least AS over ORDER BY over DESC, p LIMIT 5;
WITH {low: 50, high: 150} AS range MATCH (m:Module) WHERE range.low <= m.lines <= range.high RETURN count(m) AS n;
//$ {"filter": {"kind": "method", "min": 5}}
MATCH (f:Function) WHERE f.kind = $filter.kind AND f.calls_in >= $filter.min RETURN f.id AS id ORDER BY id;
//$ {"paths": ["graphstore/store.py", "graphstore/text.py", "none"]}
UNWIND $paths AS path OPTIONAL MATCH (m:Module {path: path}) RETURN path, m.lines AS lines, m IS NULL AS missing ORDER BY path;
//$ {"ids": [1, 2, 3], "t": "x", "f": 1.5, "n": null, "b": true}
RETURN $ids[0] + 1 AS a, $t + 'y' AS b, $f * 2 AS c, $n IS NULL AS d, NOT $b AS e, size($ids) AS g, [x IN $ids | x * 2] AS h;
//$ {"props": {"name": "run"}}
MATCH (f:Function) WHERE f.name = $props.name RETURN count(*) AS n;
MATCH (m:Module) WHERE m.path = 'quarry/graphstore/store.py' WITH m MATCH (m)-[:DEFINES]->(c) WITH m, c ORDER BY c.start_line RETURN m.path AS path, collect(c.name) AS order;
MATCH (m:Module) CALL (m) { MATCH (m)-[:DEFINES]->(f:Function) WITH f ORDER BY f.calls_in DESC, f.id LIMIT 2 RETURN collect(f.name) AS top } WITH m, top WHERE size(top) = 2 RETURN m.path AS p, top ORDER BY p LIMIT 10;
MATCH (m:Module) CALL (m) { OPTIONAL MATCH (m)-[:DEFINES]->(f:Function) WHERE f.calls_in > 5 RETURN count(f) AS hot, max(f.calls_in) AS most } RETURN m.path AS p, hot, most ORDER BY hot DESC, p LIMIT 10;
CALL { MATCH (f:Function) RETURN f.name AS name ORDER BY f.calls_in DESC, f.id LIMIT 3 UNION ALL MATCH (c:Class) RETURN c.name AS name ORDER BY c.calls_in DESC, c.id LIMIT 3 } RETURN name ORDER BY name;
MATCH (f:Function) WITH f.kind AS k, collect(f.calls_in) AS l RETURN k, size([x IN l WHERE x = 0]) AS zero, size([x IN l WHERE x > 10]) AS hot ORDER BY k;
MATCH (f:Function) RETURN f.kind AS k, sum(CASE f.calls_in WHEN 0 THEN 1 ELSE 0 END) AS unused, count(CASE WHEN f.calls_in > 10 THEN 1 END) AS hot ORDER BY k;
MATCH (f:Function) RETURN f.kind AS kind, count(*) AS n UNION ALL MATCH (c:Class) RETURN c.kind AS kind, count(*) AS n UNION ALL MATCH (m:Module) RETURN 'module' AS kind, count(*) AS n;
MATCH p = (a:Class)-[:INHERITS*1..3]->(b) WITH nodes(p) AS ns, length(p) AS l WHERE l > 1 UNWIND ns AS n RETURN l, n.name AS n, count(*) AS c ORDER BY l, n;
MATCH p = (m:Module {path: 'quarry/graphstore/store.py'})-[:DEPENDS_ON*1..2]->(x) WITH p, relationships(p) AS rs RETURN [r IN rs | round(r.weight, 1)] AS w, last(nodes(p)).path AS x ORDER BY x, w[0], w[1] LIMIT 10;
MATCH p = (m:Module {path: 'quarry/graphstore/store.py'})-[:DEPENDS_ON*1..2]->(x) RETURN x.path AS x, max(reduce(s = 0.0, r IN relationships(p) | s + r.weight)) > 0 AS w ORDER BY x;

// == Grouping, division, names, labels
MATCH (m:Module) WHERE m.branches > 0 RETURN m.path AS p, 1.0 * m.lines / m.branches AS c, m.importance / m.usage AS d ORDER BY c DESC, p LIMIT 10;
MATCH (m:Module) WHERE m.importance > 0 RETURN m.path AS p, m.importance / m.usage AS d ORDER BY d DESC, p LIMIT 10;
UNWIND [1, 2.5] AS a UNWIND [2, 0.5] AS b RETURN a / b AS x, a % b AS y;
UNWIND [1, 2.5] AS a UNWIND [0.0, 0.5] AS b RETURN a / b AS x;
UNWIND [2.5] AS a UNWIND [0, 2] AS b RETURN a % b AS x;
UNWIND [5] AS a UNWIND [3, 2] AS b RETURN a % b AS x, a / b AS y;
MATCH (f:Function) WITH f.path AS p, collect(f) AS fs ORDER BY size([f IN fs WHERE f.calls_in > 0 | f]) DESC, p RETURN p, size(fs) AS n;
MATCH (m:Module)-[:DEFINES]->(f:Function) RETURN m.path AS p, size([f IN collect(f) WHERE f.name STARTS WITH '_']) AS private, reduce(s = 0, f IN collect(f) | s + f.calls_in) AS calls ORDER BY p;
MATCH (m:Module)-[:DEFINES]->(f:Function) RETURN m.path AS p, size([x IN collect(f) WHERE x.path = m.path]) AS same ORDER BY p;
MATCH (m:Module)-[:DEFINES]->(f:Function) RETURN m, collect(f.name) AS names ORDER BY size(names) DESC, m.path LIMIT 2;
MATCH (m:Module)-[:DEFINES]->(f:Function) RETURN m AS over, count(f) AS partition ORDER BY partition DESC, over.path LIMIT 2;
WITH 1 AS having, 2 AS except, 3 AS explain, 4 AS nulls, 5 AS profile, 6 AS intersect RETURN having + except + explain + nulls + profile + intersect AS over;
MATCH (m:Module)-[:DEFINES]->(f:Function) WITH m.path AS p, m.lines AS l, count(f) AS n RETURN p, l - n AS rest ORDER BY rest, p LIMIT 5;
MATCH (m:Module) RETURN DISTINCT m.lines > 100 AS big, m.is_test AS t ORDER BY big, t;
MATCH (m:Module) WITH DISTINCT m.language AS l, m.lines > 100 AS big RETURN l, collect(big) AS bigs ORDER BY l;
MATCH (m:Module) WITH m ORDER BY m.path SKIP 3 LIMIT 4 RETURN m.path AS p;
MATCH (m:Module) RETURN m.path AS p, m.lines AS l ORDER BY l DESC, p LIMIT toInteger(3.7);
MATCH (a:Module)-[:DEPENDS_ON]->(b:Module) WITH a, b WHERE NOT (b)-[:DEPENDS_ON]->(a) AND b.lines > a.lines RETURN a.path AS a, b.path AS b ORDER BY a, b LIMIT 10;
MATCH (a:Module) WHERE (a)-[:DEPENDS_ON]->(:Module)-[:DEPENDS_ON]->(a) RETURN a.path AS p ORDER BY p;
MATCH (a:Module) WHERE NOT (a)<-[:DEPENDS_ON]-() OR (a)-[:DEPENDS_ON]->({path: 'quarry/graphstore/errors.py'}) RETURN a.path AS p ORDER BY p;
MATCH (f:Function) WHERE (f)-[:CALLS]->() XOR (f)<-[:CALLS]-() RETURN count(*) AS n;
MATCH (a:Class {name: 'Store'})-[r]->(b) RETURN type(r) AS t, labels(b) AS l, count(*) AS n ORDER BY t, l[0];
MATCH (a:Class {name: 'Store'})-[]-(b)-[]-(c) RETURN count(*) AS n, count(DISTINCT c) AS d;
MATCH (a:Class {name: 'Store'})--(b), (b)--(c:Class) WHERE a <> c RETURN DISTINCT c.name AS c ORDER BY c;
MATCH (a)-[:INHERITS]->(b), (b)-[:INHERITS]->(c) RETURN a.name AS a, c.name AS c ORDER BY a, c;
MATCH (a:Function)-[r1:CALLS]->(b)<-[r2:CALLS]-(c:Function) WHERE a.id < c.id AND b.name = 'refuse' RETURN a.name AS a, c.name AS c ORDER BY a, c;
MATCH (a:Function) MATCH (a)-[:CALLS]->(b) WHERE b.name = 'refuse' MATCH (a)<-[:DEFINES]-(o) RETURN a.name AS a, o.name AS o ORDER BY a, o;
OPTIONAL MATCH (a:Nope) OPTIONAL MATCH (a)-->(b) RETURN a, b, count(*) AS n;
OPTIONAL MATCH (a:Class {name: 'Store'}) WITH a WHERE a IS NOT NULL MATCH (a)-[:DEFINES]->(f) RETURN f.name AS n ORDER BY n;
MATCH (c:Class) OPTIONAL MATCH (c)-[:INHERITS]->(b:Class) WITH c, b WHERE b IS NULL RETURN count(c) AS n;
MATCH (c:Class) OPTIONAL MATCH (c)-[:INHERITS]->(b:Class)-[:INHERITS]->(d) RETURN c.name AS c, b.name AS b, coalesce(d.name, 'none') AS d ORDER BY c, b, d;
MATCH (n) WHERE n:Module AND n.lines > 300 OR n:Class AND n.methods > 15 RETURN labels(n)[0] AS l, n.name AS n ORDER BY l, n;
MATCH (n) RETURN n:Class AS c, n:Module|Function AS mf, count(*) AS k ORDER BY c, mf;
MATCH (n) WHERE n.lines = n.nothing RETURN count(n) AS n;
MATCH (n) WHERE n.nothing IS NULL AND NOT exists { (n)-[:CALLS]->() } RETURN count(n) AS n;
MATCH (n) WHERE n.branches > '1' RETURN count(n) AS n;
MATCH (n) WHERE n.name > 1 RETURN count(n) AS n;
MATCH (n) WHERE n.name = 1 OR n.lines = '1' RETURN count(n) AS n;
MATCH (n) WHERE n.importance IN [1, 2.0, 0] RETURN count(n) AS n;
MATCH (n:Module) WHERE n.lines IN [100, 200.0, null] RETURN count(n) AS n;
MATCH (n) RETURN n.importance > 1 AS big, count(*) AS c ORDER BY big;
MATCH (n) RETURN min(n.lines) AS a, max(n.importance) AS b, sum(n.methods) AS c, count(n.lines) AS d;
MATCH (n) WITH n.lines AS l ORDER BY l DESC LIMIT 5 RETURN collect(l) AS ls;
MATCH (n) WITH n.lines AS l ORDER BY l LIMIT 3 RETURN collect(l) AS ls, count(*) AS n;
MATCH (n) RETURN n.importance AS i, n.name AS n ORDER BY i DESC, n LIMIT 5;

// == Operators, functions and literals
RETURN -7 / 2 AS a, -7 % 2 AS b, 7 % -2 AS c, 7 / -2 AS d, -7.5 % 2 AS e, 5.5 % 2.0 AS f, 2 ^ 0.5 AS g, 2 ^ -1 AS h, 0 ^ 0 AS i;
RETURN 1.0 / 3 AS a, 2.0 / 3 AS b, 1e10 AS c, 1.5e-7 AS d, 100000000.0 AS e, 0.1 AS f, -0.0 AS g, 1e308 * 10 AS h;
RETURN round(2.5) AS a, round(3.5) AS b, round(-1.5) AS c, round(1.25, 1) AS d, round(1.35, 1) AS e, round(-1.25, 1) AS f, round(0.5) AS g, round(-0.5) AS h, round(1234.5678, 2) AS i, round(12, 1) AS j;
RETURN round(1.5, 0, 'HALF_EVEN') AS a;
RETURN round(2.675, 2) AS a, round(1.005, 2) AS b, round(0.285, 2) AS c, round(1.115, 2) AS d, round(-2.675, 2) AS e, round(5.055, 2) AS f, round(1.0049999, 2) AS g;
UNWIND [0.125, 0.375, 2.345, 1.555, 10.235, 99.995, 0.005, 1.45, 8.345] AS x RETURN x, round(x, 2) AS a, round(x, 1) AS b;
UNWIND range(1, 200) AS i RETURN i, round(i / 7.0, 2) AS a, round(i / 8.0, 2) AS b, round(i * 0.005, 2) AS c, round(i * 1.005, 2) AS d;
MATCH (m:Module) RETURN m.path AS p, round(m.importance * 100) / 100 AS a, round(m.usage, 3) AS b, floor(m.complexity * 10) / 10 AS c ORDER BY p;
RETURN ceil(-0.5) AS a, floor(0.5) AS b, ceil(3) AS c, floor(-3) AS d, abs(-2.5) AS e, sign(-0.0) AS f, sign(3.2) AS g;
RETURN sqrt(2) AS a, exp(1) AS b, log(10) AS c, log10(1000) AS d, e() AS e, pi() AS f, sqrt(0) AS g, exp(0) AS h, log(e()) AS i;
UNWIND range(1, 100) AS i RETURN i, log(i) AS a, sqrt(i) AS b, exp(i / 10.0) AS c, log10(i) AS d, i ^ 0.5 AS e, i ^ 1.5 AS f;
UNWIND range(1, 50) AS i RETURN toString(i / 7.0) AS s, toString(i * 0.1) AS t, toString(i / 3.0) AS u;
UNWIND [0.1, 0.2, 0.30000000000000004, 1.0E7, 123456.789, 9999999.999, 0.001, 1.1, 100.0] AS x RETURN CASE WHEN x < 10000000 THEN toString(x) END AS s;
UNWIND range(0, 30) AS i RETURN toString(2.0 ^ i / 3) AS s;
RETURN 'a' + null AS a, null + 'a' AS b, [1] + null AS c;
RETURN 9223372036854775807 AS a, -9223372036854775807 AS b, 0x1F AS c, 0o17 AS d, 1_000 AS e;
UNWIND [9223372036854775807, 1] AS x RETURN sum(x) AS s;
UNWIND [9223372036854775807, 9223372036854775807] AS x RETURN avg(x) AS s;
UNWIND [1, 2.5, null] AS x RETURN sum(x) AS s, avg(x) AS a, min(x) AS b, max(x) AS c, count(x) AS d;
UNWIND [] AS x RETURN sum(x) AS s, avg(x) AS a, min(x) AS b, max(x) AS c, count(x) AS d, collect(x) AS e;
UNWIND [1, 2] AS x RETURN avg(x) AS a, sum(x * 1.0) AS b, sum(toFloat(x)) AS c;
UNWIND [3, 1, 2] AS x WITH x ORDER BY x RETURN collect(x) AS l, head(collect(x)) AS h, last(collect(x)) AS t;
UNWIND [1, 1, 2, null] AS x RETURN count(DISTINCT x) AS a, sum(DISTINCT x) AS b, avg(DISTINCT x) AS c, collect(DISTINCT x) AS d, min(DISTINCT x) AS e;
UNWIND ['a', 'B', 'b', 'A', '_', '1', 'é', 'Z'] AS x RETURN x ORDER BY x;
UNWIND ['a', 'B', 'b', 'A', '', ' '] AS x RETURN x ORDER BY toLower(x), x DESC;
UNWIND ['😀', 'ﬀ', '￿', 'z'] AS x RETURN x ORDER BY x;
RETURN '😀' < '￿' AS a, 'a' < 'B' AS b, 'a' < 'aa' AS c, '' < 'a' AS d;
RETURN size('😀') AS a, left('😀a', 1) AS b, reverse('😀a') AS c, substring('😀ab', 1, 1) AS d, toUpper('ß') AS e, toLower('İ') AS f;
RETURN size('😀a') AS a;
RETURN reverse('😀a') AS a;
RETURN substring('a😀b', 1) AS a, right('a😀b', 2) AS b;
RETURN toUpper('straße') AS a, toUpper('éa') AS b, toLower('ÀÉ') AS c;
RETURN toLower('İ') AS a;
RETURN toUpper('ŉ') AS a;
RETURN split('a b  c', ' ') AS a, split('abc', 'x') AS b, split('', ',') AS c, split('a,b,', ',') AS d, split(',a', ',') AS e;
RETURN split('a1b2', ['1', '2']) AS a;
RETURN split('aXXbX', 'X') AS a, split('a.b.c', '.')[1] AS b, split('a|b', '|')[-1] AS c;
RETURN replace('aaa', 'aa', 'b') AS a, replace('abc', '', 'x') AS b, replace('abc', 'z', 'x') AS c, replace(null, 'a', 'b') AS d;
RETURN replace('abc', '', '-') AS a;
RETURN substring('hello', 10) AS a, substring('hello', 2, 100) AS b, substring('hello', 0, 0) AS c, left('ab', 10) AS d, right('ab', 10) AS e, left('ab', 0) AS f;
RETURN trim('\t a \n') AS a, ltrim('  a ') AS b, rtrim(' a  ') AS c, btrim('xxaxx', 'x') AS d, ltrim('xxa', 'x') AS e, rtrim('axx', 'x') AS f;
RETURN trim(BOTH 'x' FROM 'xxaxx') AS a;
RETURN trim('\u00a0a\u00a0') AS a, trim('\u2003a') AS b, trim('\u0001a') AS c;
RETURN trim('\u200ba') AS a;
RETURN 'abc' STARTS WITH '' AS a, 'abc' CONTAINS '' AS b, 'abc' ENDS WITH null AS c, null CONTAINS 'a' AS d, 1 STARTS WITH 'a' AS e;
RETURN 'abc' =~ 'a.c' AS a, 'abc' =~ 'b' AS b, 'a\nb' =~ 'a.b' AS c, '' =~ '' AS d, 'abc' =~ null AS e, null =~ 'a' AS f, 'ABC' =~ '(?i)abc' AS g;
RETURN 'foo.py' =~ '.*\\.py' AS a, 'foo_bar' =~ '\\w+' AS b, 'é' =~ '\\w' AS c, '١' =~ '\\d' AS d, 'É' =~ '(?i)é' AS e;
RETURN 'abc' =~ '[^x]+' AS a, 'abc' =~ '[a-c&&[^b]]+' AS b;
RETURN 'a-b' =~ 'a\\-b' AS a, 'a+b' =~ '\\Qa+b\\E' AS b;
RETURN 'aaa' =~ 'a{3}' AS a, 'aaa' =~ 'a{2,}' AS b, 'ab' =~ '(a|b)+' AS c, 'ab' =~ '(?:a)b' AS d, 'abab' =~ '(ab)\\1' AS e;
RETURN 'test' =~ '^test$' AS a, 'test\n' =~ 'test$' AS b, 'x' =~ '\\p{L}' AS c, 'a b' =~ 'a\\sb' AS d, 'word' =~ '\\bword\\b' AS e;
RETURN 'test' =~ '(?i)(TEST|FOO)' AS a, 'Test' =~ '[tT]est' AS b, 'x' =~ '[[:alpha:]]' AS c;
RETURN [1, 2, 3, 4][1..3] AS a, [1, 2, 3][-2..] AS b, [1, 2, 3][..-1] AS c, [1, 2, 3][5..] AS d, [1, 2, 3][2..1] AS e, [1, 2, 3][0] AS f, [1, 2, 3][-1] AS g, [1, 2, 3][10] AS h, [1,2,3][-10..2] AS i;
RETURN range(0, 10, 2) AS a, range(10, 0, -3) AS b, range(3, 1) AS c, range(1, 1) AS d, range(0, -2, -1) AS e;
RETURN [x IN [1, 2, null] WHERE x > 1] AS a, [x IN [1, 2, null] | x * 2] AS b, [x IN null | x] AS c, [x IN [] | x] AS d;
RETURN all(x IN [] WHERE x > 0) AS a, any(x IN [null] WHERE x > 0) AS b, all(x IN [1, null] WHERE x > 0) AS c, none(x IN [1, null] WHERE x > 5) AS d, single(x IN [1, null] WHERE x = 1) AS e, single(x IN [1, 1] WHERE x = 1) AS f, any(x IN null WHERE x > 0) AS g;
RETURN reduce(a = 0, x IN [1, 2, 3] | a + x) AS a, reduce(a = '', x IN ['a', 'b'] | a + x) AS b, reduce(a = [], x IN [1, 2] | a + [x * 2]) AS c, reduce(a = 0, x IN [] | a + x) AS d, reduce(a = 0, x IN [1, null] | a + x) AS e, reduce(a = 1, x IN null | a) AS f;
RETURN head([]) AS a, last([1, null]) AS b, tail([]) AS c, tail([1]) AS d, reverse([1, 'a', null]) AS e, size([null]) AS f, size(null) AS g, head(null) AS h;
RETURN [1, [2, [3]]] AS a, [[1, 2], [3]][0][1] AS b, size([[1, 2], [3]]) AS c, [1] IN [[1], 2] AS d, [1, 2] + [[3]] AS e;
RETURN 1 IN [] AS a, null IN [1] AS b, 1 IN null AS c, 1 IN [null, 1] AS d, 2 IN [null, 1] AS e, NOT 2 IN [1] AS f, 'a' IN ['A'] AS g, 1 IN ['1'] AS h;
RETURN null = null AS a, null <> null AS b, null > 1 AS c, null XOR true AS d, NOT null AS e, null AND true AS f, null OR false AS g, true XOR true AS h;
RETURN coalesce(null, null) AS a, coalesce(1, 'a') AS b, coalesce(null, [], 1) AS c, nullIf(1, 1) AS d, nullIf(1, 2) AS e, nullIf(null, 1) AS f;
RETURN CASE WHEN null THEN 1 ELSE 2 END AS a, CASE null WHEN null THEN 1 ELSE 2 END AS b, CASE 1 WHEN 1.0 THEN 'y' ELSE 'n' END AS c, CASE WHEN 1 = 1 THEN null ELSE 3 END AS d, CASE 'a' WHEN 'b' THEN 1 END AS e;
RETURN CASE 5 WHEN < 3 THEN 'low' WHEN 3, 4 THEN 'mid' WHEN IS NULL THEN 'null' ELSE 'high' END AS a, CASE 'abc' WHEN STARTS WITH 'a' THEN 1 ELSE 2 END AS b;
RETURN {a: 1, b: {c: [1, 2]}} AS m, {a: 1}.b AS x, {a: 1}['a'] AS y, keys({b: 1, a: 2}) AS k, size(keys({})) AS s;
WITH {a: 1, b: null} AS m RETURN m.b IS NULL AS a, keys(m) AS k, m {.a, c: 3} AS p, m['b'] AS x, m = {a: 1, b: null} AS e;
WITH {a: 1} AS m, 'a' AS k RETURN m[k] AS v, m['z'] AS w;
RETURN [k IN keys({a: 1, b: 2}) | {key: k}] AS l;
WITH [{n: 'x', v: 2}, {n: 'y', v: 1}] AS rows UNWIND rows AS r WITH r ORDER BY r.v RETURN collect(r.n) AS l, sum(r.v) AS s;
UNWIND [{a: 1}, {a: 2}, {b: 1}] AS m RETURN m.a AS a ORDER BY a;
UNWIND [{a: 1}, {a: 1}] AS m RETURN DISTINCT m;
UNWIND [{a: 1}, {a: 2}] AS m RETURN m.a % 2 = 0 AS even, count(*) AS n, collect(m) AS l ORDER BY even;
UNWIND [[1, 2], [1, 2], [2, 1]] AS l RETURN l, count(*) AS n ORDER BY l;
UNWIND [1, 2, 3] AS x RETURN x, CASE WHEN x % 2 = 0 THEN 'even' ELSE 'odd' END AS p ORDER BY p, x DESC;
UNWIND [1, 2, 3, 4, 5, 6] AS x WITH x % 3 AS g, collect(x) AS xs RETURN g, xs, size(xs) AS n ORDER BY g;
UNWIND range(1, 10) AS x WITH collect(x) AS l RETURN [i IN range(0, size(l) - 2) | l[i + 1] - l[i]] AS diffs;
UNWIND [null, 1, null] AS x RETURN x, count(*) AS n, count(x) AS c ORDER BY x;
UNWIND [true, false, true] AS b RETURN b, count(*) AS n ORDER BY b;
UNWIND [1.5, 2.5, 1.5] AS f RETURN f, count(*) AS n ORDER BY f;
RETURN true < false AS a, true > false AS b, true = 1 AS c, 'true' = true AS d;
RETURN 1 < 2 < 3 AS a, 3 > 2 >= 2 AS b, 1 = 1 = true AS c, 1 < 3 > 2 AS d;
RETURN 1 <> 2 AS a, NOT (1 = 1) AS b, NOT 1 = 2 AS c, (1 = 1) = true AS d, (1 < 2) AND NOT (2 < 1) AS e;
RETURN toBoolean('false') AS a, toBoolean('x') AS b, toBoolean(null) AS c, toInteger('  7 ') AS d, toInteger('7.9') AS e, toInteger(-7.9) AS f, toFloat(3) AS g, toFloat('x') AS h, toString(null) AS i;
RETURN toStringOrNull(1) AS a, toIntegerOrNull('x') AS b, toFloatOrNull('1.5') AS c, toBooleanOrNull('true') AS d;
RETURN toIntegerList(['1', 'x', null]) AS a, toFloatList([1, '2.5']) AS b, toStringList([1, 2.5, true]) AS c, toBooleanList(['true', 'x']) AS d;
RETURN isEmpty('') AS a, isEmpty([]) AS b, isEmpty({}) AS c, isEmpty(null) AS d, char_length('abc') AS e;
RETURN 'x' || 'y' AS a, [1] || [2] AS b, 'a' || null AS c;
RETURN exists { MATCH (n:Class) } AS a, count { MATCH (n:Class) } > 0 AS b;
RETURN size([x IN range(1, 5) WHERE x % 2 = 1]) AS a, [x IN range(1, 3) | [y IN range(1, x) | x * y]] AS b;
RETURN [x IN ['a', 'b'] | x + toString(size(x))] AS a, [x IN [1, 2] WHERE x IN [2, 3]] AS b, [i IN range(0, 2) | ['a', 'b', 'c'][i]] AS c;
WITH 1 AS a, 2 AS b RETURN a + b AS c, a AS d ORDER BY c;
WITH [3, 1, 2] AS l UNWIND l AS x WITH x ORDER BY x DESC RETURN collect(x) AS sorted;
UNWIND [1, 2, 3] AS x UNWIND [10, 20] AS y RETURN x, y, x * y AS p ORDER BY p DESC, x LIMIT 3;
UNWIND [1, 2, 3] AS x RETURN x AS y ORDER BY -x;
UNWIND [1, 2, 3] AS x RETURN x ORDER BY x % 2, x DESC;
UNWIND ['b', 'a'] AS x RETURN x AS y ORDER BY x;
UNWIND [1, 2, 3] AS x RETURN x SKIP 1;
UNWIND [1, 2, 3] AS x WITH x LIMIT 2 RETURN sum(x) AS s;
UNWIND [3, 1, 2] AS x RETURN x ORDER BY x OFFSET 1 LIMIT 1;
UNWIND [1, 2, 3] AS x RETURN x ORDER BY x LIMIT 1 + 1;
UNWIND [1, 2, 3] AS x RETURN x ORDER BY x SKIP toInteger(1.5);
RETURN 1 AS x UNION ALL RETURN 1.0 AS x;
RETURN 1 AS x UNION RETURN 1.0 AS x;
RETURN null AS x UNION RETURN null AS x;
RETURN 'a' AS x UNION RETURN 1 AS x;
RETURN [1] AS x UNION RETURN [1] AS x;
WITH 1 AS `a b` RETURN `a b` + 1 AS `c d`;
RETURN 1 AS `x``y`;
RETURN 1+1, 2 * 3, 'a' AS a;
MATCH (n:Class) RETURN n.name, count(*) ORDER BY n.name LIMIT 3;
MATCH (n:Class) RETURN count(n), n.name ORDER BY n.name LIMIT 3;
MATCH (n:Module) RETURN n.lines+1 ORDER BY n.lines+1 LIMIT 3;

// == Conversions, rounding, patterns
RETURN toInteger(1e300) AS a, toInteger(-1e300) AS b, toInteger('1e5') AS c, toInteger('12.7') AS d, toInteger(9.2e18) AS e;
UNWIND [1.5, -2.5, 1e19, null] AS x RETURN toInteger(x) AS i;
UNWIND ['1', '2.5', 'x', ' 3 ', '-4', '', null, '1e3', '007'] AS x RETURN toInteger(x) AS i;
UNWIND ['1', '2.5', 'x', '-4', '', null, '1e3', '.5', '+1.25E-3', 'nano'] AS x RETURN toFloat(x) AS i;
UNWIND ['1', 2, 2.5, null] AS x RETURN toInteger(x) AS i, toFloat(x) AS f;
UNWIND ['true', ' FALSE ', 'x', null] AS x RETURN toBoolean(x) AS b;
UNWIND ['true', 1, 0, false, null] AS x RETURN toBoolean(x) AS b;
MATCH (m:Module) RETURN toBoolean(m.lines) AS b, toInteger(m.name) AS i, toFloat(m.name) AS f, toFloat(m.lines) AS g, toInteger(m.importance) AS h ORDER BY m.id;
MATCH (m:Module) RETURN trim(m.docstring) AS t, ltrim(m.summary) AS l, rtrim(m.docstring) AS r, btrim(m.name) AS b ORDER BY m.id;
RETURN toIntegerOrNull('12') AS a, toIntegerOrNull('x') AS b, toFloatOrNull(3) AS c, toBooleanOrNull('true') AS d, toStringOrNull(1.5) AS e, toIntegerOrNull(2.9) AS f, toStringOrNull(null) AS g;
MATCH (m:Module) RETURN toIntegerOrNull(m.name) AS a, toStringOrNull(m.lines) AS b, toFloatOrNull(m.path) AS c ORDER BY m.id;
RETURN toBooleanList(['true', 'no', null]) AS a, toBooleanList([1, 0]) AS b, toIntegerList(['1', '2.9', 'x']) AS c, toFloatList(['1', '2.9', 'x', null]) AS d;
MATCH (m:Module) RETURN m.path AS p, round(m.importance, 2) AS a, round(m.importance, 1) AS b, round(m.complexity * 100, 1) AS c, round(-m.usage, 3) AS d, round(m.lines / 7.0, 2) AS e ORDER BY p;
UNWIND range(-300, 300) AS i RETURN i, round(i / 7.0, 2) AS a, round(i / 8.0, 2) AS b, round(i * 0.005, 2) AS c, round(i * 1.005, 2) AS d, round(i * 0.015, 1) AS e, round(i / 3.0, 5) AS f, round(i * 0.5) AS g, round(i, 2) AS h, round(i * 1.0e9 + 0.125, 2) AS j;
RETURN round(2.675, 2) AS a, round(1.005, 2) AS b, round(0.285, 2) AS c, round(1.115, 2) AS d, round(-2.675, 2) AS e, round(null, 2) AS f, round(-0.001, 2) AS g, round(1e17, 2) AS h, round(4.35, 1) AS i;
MATCH (m:Module) RETURN round(avg(m.importance), 2) AS a, round(100.0 * sum(m.lines) / count(*), 1) AS b, round(sum(m.usage), 3) + 1 AS c;
MATCH (m:Module)-[:DEFINES]->(x) WITH m, count(x) AS n RETURN m.path AS p, round(1.0 * n / m.lines, 3) AS d ORDER BY d DESC, p LIMIT 10;
MATCH (f:Function)-[r:CALLS]->() RETURN f.kind AS k, round(avg(r.confidence), 6) AS c, count(*) AS n ORDER BY c DESC, k;
MATCH (f:Function)-[r:CALLS]->(g) WITH f, avg(r.confidence) AS c WHERE round(c, 2) < 0.95 RETURN f.id AS id, round(c, 2) AS c ORDER BY c, id LIMIT 20;
MATCH (m:Module) RETURN -m.usage AS u, -m.lines AS l, -(m.usage * 2) AS v, 0 - m.usage AS w ORDER BY m.id;
MATCH (a)-[r:CALLS]->(b) RETURN r {.*} AS p ORDER BY b.id, a.id LIMIT 5;
MATCH (a)-[r:CALLS]->(b) RETURN r {.count, .how, to: b.name} AS p ORDER BY a.id, b.id LIMIT 5;
OPTIONAL MATCH (n:Nothing)-[r:CALLS]->() RETURN r {.count} AS a, r {.*} AS b;
MATCH (a:Function {name: 'run'})-[r:CALLS]->(b) RETURN b {.name, call: r {.count, .lines}} AS row ORDER BY a.id, b.id;
RETURN e() AS e, log(e()) AS one;
RETURN valueType(1) AS a, valueType([1, 2]) AS b, valueType('x') AS c, valueType(null) AS d;
RETURN 'abc' =~ null AS e, 'a\nb' =~ '(?s)a.b' AS s, 'A\nb' =~ '(?is)a.B' AS i, 'a+b' =~ '\\Qa+b\\E' AS q, 'é' =~ '\\p{L}+' AS p, 'É1' =~ '\\p{Lu}.' AS u;
MATCH (f:Function) WHERE f.docstring =~ '(?is).*raises.*' RETURN count(*) AS n;
RETURN CASE WHEN null THEN 1 ELSE 2 END AS a, CASE null WHEN null THEN 1 ELSE 2 END AS b, CASE 1 WHEN 1.0 THEN 'y' ELSE 'n' END AS c, CASE 'a' WHEN 'b' THEN 1 END AS e;
MATCH (c:Class) RETURN CASE c.name WHEN 'Store' THEN 1 WHEN c.kind THEN 2 ELSE 3 END AS k, count(*) AS n ORDER BY k;
UNWIND [{k: 'a', v: 1}, {k: 'b', v: null}] AS row RETURN CASE row.k WHEN 'a' THEN row.v ELSE 0 END AS x, CASE row.v WHEN 1 THEN 'one' ELSE 'none' END AS y ORDER BY x;
UNWIND [{k: 'a', v: 1}, {k: 'b', v: 2.0}] AS row WITH row.k AS k, row.v AS v WHERE k = 'a' OR v = 2 RETURN k, v ORDER BY k;
MATCH (m:Module) RETURN substring(m.path, 0, size(m.path) - 3) AS s, left(m.name, 3) AS l ORDER BY m.id;

// == Sums of values of unknown type
//$ {"rows": [{"a": "x", "b": 1, "c": 2.5, "d": null, "e": [1]}]}
UNWIND $rows AS row RETURN row.a + '-' + row.b + '-' + row.c AS x, row.a + row.d AS y, row.e + row.b AS z, row.e + row.d AS w, row.b + row.c AS v;
//$ {"rows": [{"a": "x", "b": 1, "c": 2.5}]}
UNWIND $rows AS row RETURN row.a + '-' + row.b + '-' + row.c + '-' + row.a + '-' + row.b + '-' + row.c + '-' + row.a AS x;
MATCH (f:Function) RETURN f.path + ':' + f.start_line + ' ' + f.name + '/' + f.calls_in AS x ORDER BY x LIMIT 10;
MATCH (m:Module) RETURN m.name + ' ' + round(m.importance, 2) + ' of ' + m.lines AS x ORDER BY x;
MATCH (c:Class) RETURN c.bases + c.decorators + ['z'] AS x, c.bases + null AS y ORDER BY c.id;
MATCH (m:Module) RETURN collect(m.lines)[0..2] + [1] IS NULL AS x, [0] + collect(m.lines) IS NULL AS y;
MATCH (f:Function) RETURN reduce(s = '', w IN split(f.name, '_') | s + w + '|') AS x ORDER BY x LIMIT 10;
//$ {"l": [{"y": "a"}, {"y": 1}, {"y": 2.5}]}
RETURN reduce(s = '', x IN $l | s + x.y + ',') AS t;
//$ {"l": [{"y": 1}, {"y": 2.5}]}
RETURN reduce(s = 0, x IN $l | s + x.y) AS t;
UNWIND [1, 'a', [1], 1.5, null] AS a UNWIND ['b', [2], null, 2] AS b RETURN a + b AS x;

// == Texts that look like lists or values
RETURN ['["x"]'] = ['x'] AS a;
RETURN ['["x"]', 1] = ['x', 1] AS a;
RETURN {a: '["x"]'} = {a: 'x'} AS a;
UNWIND ['["x"]', 'x'] AS t RETURN DISTINCT t;
UNWIND ['["x"]', 'x'] AS t RETURN t, count(*) AS n;
UNWIND ['["x"]', 'x'] AS t RETURN count(DISTINCT t) AS n;
UNWIND ['["x"]', 'x'] AS t RETURN collect(DISTINCT t) AS n;
UNWIND [['["x"]'], ['x']] AS t RETURN DISTINCT t;
UNWIND [['["x"]'], ['x']] AS t RETURN t, count(*) AS n;
UNWIND [['["x"]'], ['x']] AS t RETURN collect(DISTINCT t) AS n;
UNWIND [{a: '["x"]'}, {a: 'x'}] AS t RETURN t, count(*) AS n;
UNWIND ['["x"]', ['x']] AS t RETURN t, count(*) AS n;
RETURN '["x"]' = ['x'] AS a;
RETURN ['["x"]'] = [['x']] AS a;
RETURN '["x"]' IN [['x']] AS a;
RETURN ['x'] IN ['["x"]'] AS a;
RETURN size('["x"]') AS a;
RETURN size('["x","y"]') AS a;
RETURN head(['["x"]']) AS a, last(['["x"]']) AS b;
RETURN '["x"]' < 'x' AS a, '["x"]' >= '[' AS b;
RETURN '["x"]' + 'y' AS a, 'y' + '["x"]' AS b, '["x"]' || 'y' AS c;
RETURN ['a'] + '["x"]' AS a, '["x"]' + ['a'] AS b;
RETURN '["x"]' CONTAINS 'x' AS a, 'x' IN ['["x"]'] AS b, '["x"]' STARTS WITH '[' AS c, '["x"]' ENDS WITH ']' AS d;
RETURN split('["x","y"]', ',') AS a;
RETURN replace('["x"]', 'x', 'y') AS a, toUpper('["x"]') AS b, trim(' ["x"] ') AS c, substring('["x"]', 1) AS d, left('["x"]', 3) AS e, right('["x"]', 2) AS f;
RETURN toString('["x"]') AS a, coalesce(null, '["x"]') AS b, '["x"]' IS NULL AS c;
RETURN CASE '["x"]' WHEN 'x' THEN 1 ELSE 2 END AS a;
RETURN CASE WHEN '["x"]' IN ['x', 'y'] THEN 1 ELSE 2 END AS a;
RETURN [x IN ['["x"]', 'x'] WHERE x = 'x'] AS a;
RETURN any(x IN ['["x"]'] WHERE x = 'x') AS a, all(x IN ['["x"]'] WHERE x = 'x') AS b, none(x IN ['["x"]'] WHERE x = 'x') AS c;
UNWIND ['["x"]', 'x', '[', 'a'] AS t RETURN t ORDER BY t;
UNWIND ['["x"]', 'x', '[', 'a'] AS t RETURN min(t) AS a, max(t) AS b;
WITH {a: '["x"]'} AS m RETURN m.a AS a, m.a = 'x' AS b, m['a'] AS c;
UNWIND '["x"]' AS t RETURN t;
RETURN toInteger('[1]') AS a, toFloat('[1.5]') AS b, toBoolean('[true]') AS c;
RETURN '[1]' = 1 AS a, '[1]' = '1' AS b, '1' = 1 AS c, 'true' = true AS d;
RETURN '{"a": 1}' = {a: 1} AS a;
RETURN '[1, 2]' = [1, 2] AS a, '[1,2]' = [1,2] AS b;
UNWIND ['[1,2]', '[1, 2]'] AS t RETURN DISTINCT t;
UNWIND ['[1,2]', [1, 2]] AS t RETURN DISTINCT t;
UNWIND ['1', 1, 1.0, true, 'true'] AS t RETURN t, t = 1 AS a, t = '1' AS b, t = true AS c;
UNWIND ['1', 1, true, 'true', null] AS t RETURN t, count(*) AS n;
UNWIND ['1', 1, true, 'true', null, [1], {a: 1}, 2.5, 'a'] AS t RETURN t ORDER BY t;
UNWIND ['1', 1, true, 'true', null, [1], {a: 1}, 2.5, 'a'] AS t RETURN t ORDER BY t DESC;
UNWIND ['1', 1, true, null, [1], 2.5, 'a'] AS t RETURN min(t) AS a, max(t) AS b;
UNWIND [[1,2],[1],[],[null],[1,null],[2],['a']] AS t RETURN t ORDER BY t;
UNWIND [true, false, null] AS t RETURN t ORDER BY t;
UNWIND [1, 'a', true] AS t RETURN t < 2 AS a, t > 'A' AS b, t <= true AS c;
RETURN 1 < 'a' AS a, 'a' < 1 AS b, true < 1 AS c, [1] < [2] AS d, [1,2] < [1] AS e, [1] < ['a'] AS f, [null] < [1] AS g;
RETURN [1,2] = [1,2.0] AS a, [1,null] = [1,2] AS b, [1,null] = [2,null] AS c, [[1]] = [[1]] AS d, [] = [] AS e, [null] = [null] AS f;
RETURN {a: 1, b: 2} = {b: 2, a: 1} AS a, {a: null} = {a: null} AS b, {a: 1} = {a: 1.0} AS c, {a: 1} <> {b: 1} AS d;
RETURN 1 IN [1.0] AS a, 1.0 IN [1] AS b, 'a' IN ['b', null] AS c, null IN [] AS d, [1] IN [[1]] AS e, [1] IN [1] AS f;
RETURN toString(1) AS a, toString(1.0) AS b, toString(-0.5) AS c;
UNWIND [1, 2.5, true, 'x'] AS t RETURN toString(t) AS s;
UNWIND [1, 2.5, 1.0e10, 1e-5, 123456789012.0] AS t RETURN toString(t) AS s;
UNWIND [1, 2.5] AS t RETURN 'v' + t AS s;
MATCH (m:Module) RETURN toString(m.importance) AS s ORDER BY s;
MATCH (m:Module) RETURN toString(coalesce(m.importance, m.lines)) AS s ORDER BY s;
RETURN toInteger(1e300) AS a;
RETURN toInteger(-1e300) AS a;
RETURN toInteger('1e5') AS a, toInteger('1.9') AS b, toInteger(' 12 ') AS c, toInteger('0x10') AS d, toInteger('-7') AS e, toInteger('+7') AS f, toInteger('') AS g;
RETURN toFloat('1e5') AS a, toFloat(' 1.9 ') AS b, toFloat('abc') AS c, toFloat('.5') AS d, toFloat('5.') AS e, toFloat('1_0') AS f, toFloat('inf') AS g, toFloat('NaN') AS h, toFloat('Infinity') AS i;
RETURN toFloat('1d') AS a;
RETURN toFloat('1f') AS a;
RETURN toBoolean('TRUE') AS a, toBoolean(' true ') AS b, toBoolean('yes') AS c, toBoolean(1) AS d, toBoolean(0) AS e, toBoolean('1') AS f;
RETURN toInteger(true) AS a, toInteger(false) AS b;
RETURN toInteger('1d') AS a, toInteger('NaN') AS b, toInteger('1.') AS c;

// == Texts that look like lists, from parameters
//$ {"rows": [{"name": "[\"run\"]", "id": "[\"x\"]"}, {"name": "check", "id": "b"}]}
UNWIND $rows AS row MATCH (f:Function) WHERE f.name = row.name RETURN f.id AS id ORDER BY id;
//$ {"rows": [{"name": "[\"run\"]", "id": "[\"x\"]"}, {"name": "check", "id": "b"}]}
UNWIND $rows AS row MATCH (f:Function {name: row.name}) RETURN f.id AS id ORDER BY id;
//$ {"rows": [{"name": "[\"run\"]", "n": 1}, {"name": "check", "n": 2}]}
UNWIND $rows AS row MATCH (f:Function) WHERE row.name IN [f.name, 'run'] RETURN f.id AS id, row.n = 1 AS one, row.n IN [1, 2] AS two, row.n <> 2 AS three ORDER BY id, one;
// no rows
//$ {"l": ["[\"Exception\"]"]}
MATCH (c:Class) WHERE c.bases = $l RETURN c.id AS id;
//$ {"l": ["Exception"]}
MATCH (c:Class) RETURN c.id AS id, c.bases = $l AS a, c.bases <> $l AS b, NOT c.bases = $l AS d ORDER BY id;
RETURN ['["x"]'] = ['x'] AS a, ['["x"]'] <> ['x'] AS b, ['["x"]', 'y'] = ['x', 'y'] AS c, ['["x"]', null] = ['x', null] AS d, ['["x"]', 1] = ['x', 1] AS e, ['["x"]', 1] <> ['x', 1] AS f, ['a', null] = ['a', '["x"]'] AS g;
RETURN {a: 'y'} = {a: 'x'} AS a, {a: 1} = {a: 1} AS b;
WITH {a: '["x"]'} AS m RETURN m.a AS a, m.a = 'x' AS b, m['a'] AS c, m.a IN ['x'] AS d, m.a <> 'x' AS e, CASE m.a WHEN 'x' THEN 1 ELSE 2 END AS f, nullIf(m.a, 'x') AS g;
// no rows
UNWIND null AS t RETURN t;
//$ {"t": "[1, 2]"}
UNWIND $t AS t RETURN t;
//$ {"t": {"a": "[1, 2]", "b": [1, 2]}}
UNWIND $t.a AS t UNWIND $t.b AS u RETURN t, u ORDER BY u;
//$ {"t": [["[\"x\"]"], ["x"]]}
UNWIND $t AS t RETURN t, count(*) AS n, collect(t[0] = 'x') AS l;
MATCH (m:Module) UNWIND m.summary AS s RETURN s ORDER BY s;
MATCH (a:Class), (b:Class) WHERE a.bases = b.bases AND a.id < b.id RETURN count(*) AS n;
MATCH (f:Function) WITH collect(f.name) AS names MATCH (c:Class) WHERE c.name IN names RETURN c.name AS n;
MATCH (f:Function) WITH f.path AS path, collect(f.name) AS names RETURN path, 'run' IN names AS a, any(n IN names WHERE n = 'run') AS b ORDER BY path;
MATCH (f:Function) WITH f.path AS path, collect({n: f.name, k: f.kind}) AS fs RETURN path, size([x IN fs WHERE x.n = 'run']) AS a, [x IN fs WHERE x.k <> 'method' | x.n][0] IS NULL AS b ORDER BY path;
MATCH (c:Class) RETURN c.bases IN [['object'], []] AS x;

// == Shortest paths
MATCH (a:Class {name: 'Store'}), (b:Class {name: 'Store'}) MATCH p = shortestPath((a)-[*0..3]-(b)) RETURN length(p) AS l;
MATCH p = shortestPath((a:Class {name: 'Store'})-[*..3]-(b:Class)) WHERE a <> b RETURN b.name AS b, length(p) AS l ORDER BY b, l;
MATCH p = shortestPath((a:Class)-[:INHERITS*]->(b:Class)) WHERE a.name <> b.name RETURN a.name AS a, b.name AS b, length(p) AS l ORDER BY a, b, l;
MATCH (a:Class), (b:Class) WHERE a <> b MATCH p = allShortestPaths((a)-[:INHERITS*..4]-(b)) RETURN a.name AS a, b.name AS b, length(p) AS l, count(*) AS n ORDER BY a, b, l;
MATCH (a:Class), (b:Class) WHERE a.id <> b.id MATCH p = shortestPath((a)-[:INHERITS*..4]-(b)) RETURN count(p) AS n;

// == Sorting by computed values
MATCH (f:Function) RETURN f.kind AS kind, count(*) AS n, round(avg(f.calls_in), 2) AS c ORDER BY round(avg(f.calls_in), 2) DESC, kind;
MATCH (m:Module)-[:DEFINES]->(f:Function) RETURN m.path AS p, collect(f.calls_in) AS l ORDER BY size([x IN collect(f.calls_in) WHERE x > 0]) DESC, p;
MATCH (m:Module)-[:DEFINES]->(f:Function) RETURN m.path AS p, collect(f.calls_in) AS l ORDER BY size([x IN l WHERE x > 0]) DESC, p;
MATCH (m:Module) RETURN m.language AS l, count(*) AS n, sum(m.lines) AS s ORDER BY round(1.0 * s / n, 1), l;
MATCH (m:Module) WITH m.path AS p, count(*) AS n, sum(m.lines) AS s ORDER BY reduce(t = 0, x IN [n, s] | t + x) DESC, p LIMIT 5 RETURN p, n, s;
MATCH (m:Module) RETURN DISTINCT m.lines AS l ORDER BY round(l / 7.0, 1), l LIMIT 10;
MATCH (m:Module) RETURN DISTINCT m.lines / 50 AS l ORDER BY -l;
MATCH (m:Module) RETURN m.nothing + m.other + count(*) AS x, m.nothing AS a, m.other AS b ORDER BY x;
MATCH (m:Module) RETURN m.path AS p ORDER BY round(m.importance, 1) DESC, p LIMIT 5;
MATCH (c:Class) RETURN c.kind AS k, round(stdev(c.methods), 2) AS s ORDER BY k;
MATCH (m:Module) RETURN round(avg(m.importance), 2) AS a, count(*) AS n ORDER BY a;
MATCH (m:Module) WITH round(avg(m.importance), 2) AS a, m.language AS l WHERE a > 0 RETURN a, l;
MATCH (m:Module) WITH m.language AS l, avg(m.importance) AS a WHERE round(a, 1) > 0.5 RETURN l, round(a, 1) AS a;

// == Nulls in subqueries
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[:DEFINES]->(n:Document) CALL (n) { MATCH (n)-[:CONTAINS]->(x) RETURN count(x) AS c } RETURN m.path AS p, c ORDER BY p;
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[:DEFINES]->(n:Document) CALL (n) { OPTIONAL MATCH (n)-[:CONTAINS]->(x) RETURN count(x) AS c } RETURN m.path AS p, c ORDER BY p;
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[:DEFINES]->(n:Document) CALL { WITH n MATCH (n)-[:CONTAINS]->(x) RETURN count(x) AS c } RETURN m.path AS p, c ORDER BY p;
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[:DEFINES]->(n:Document) CALL (*) { MATCH (n)-[:CONTAINS]->(x) MATCH (x)--(y) RETURN count(x) AS c } RETURN m.path AS p, c ORDER BY p;
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[:DEFINES]->(n:Document) CALL (n) { MATCH (n) RETURN count(n) AS c } RETURN m.path AS p, c ORDER BY p;
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[:DEFINES]->(n:Document) CALL (n) { MATCH (x)<-[:CONTAINS]-(n) RETURN count(x) AS c } RETURN m.path AS p, c ORDER BY p;
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[:DEFINES]->(n:Document) CALL (n) { MATCH (x:Module) MATCH (n)-[:CONTAINS]->(x) RETURN count(x) AS c } RETURN m.path AS p, c ORDER BY p;
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[:DEFINES]->(n:Document) RETURN m.path AS p, EXISTS { (n)-[:CONTAINS]->(x) } AS e, COUNT { (n)-[:CONTAINS]->(x) } AS c, [(n)-[:CONTAINS]->(x) | x.name] AS l ORDER BY p;
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[:DEFINES]->(n:Document) RETURN m.path AS p, EXISTS { (x)<-[:CONTAINS]-(n) } AS e, COUNT { (x)-[:CONTAINS]->(y)--(n) } AS c, [(x)-[:CONTAINS]-(n) | x.name] AS l ORDER BY p;
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[:DEFINES]->(n:Document) RETURN m.path AS p, EXISTS { MATCH (n)-[:CONTAINS]->(x) WHERE x.name <> '' } AS e, COUNT { MATCH (n) } AS c, size(COLLECT { MATCH (n)-[:CONTAINS]->(x) RETURN x.name }) AS l ORDER BY p;
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[:DEFINES]->(n:Document) WITH m, n WHERE (n)-[:CONTAINS]->() OR NOT (n)--() RETURN m.path AS p ORDER BY p;
// no rows
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[:DEFINES]->(n:Document) WITH m, n WHERE EXISTS { MATCH (n)-[:CONTAINS]->(x) MATCH (x)--(y) RETURN y } RETURN m.path AS p ORDER BY p;
// no rows
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[:DEFINES]->(n:Document) MATCH (n)-[:CONTAINS]->(x) RETURN m.path AS p, x.name AS x ORDER BY p;
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[:DEFINES]->(n:Document) OPTIONAL MATCH (n)-[:CONTAINS]->(x) RETURN m.path AS p, x.name AS x ORDER BY p;
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[:DEFINES]->(n:Document) MATCH (x:Module)-[:CONTAINS]-(n) RETURN count(*) AS c;
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[:DEFINES]->(n:Document) OPTIONAL MATCH (x:Directory)-[:CONTAINS]->(y)-[]-(n) RETURN m.path AS p, x.name AS x ORDER BY p;
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[r:CONTAINS]->(n) MATCH (a)-[r]->(b) RETURN count(*) AS c;
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[r:CONTAINS]->(n) OPTIONAL MATCH (a)-[r]->(b) RETURN m.path AS p, a.name AS a ORDER BY p;
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[r:CONTAINS]->(n) MATCH p = shortestPath((m)-[*..3]-(n)) RETURN count(*) AS c;
MATCH (m:Module) WHERE m.path ENDS WITH 'store.py' OPTIONAL MATCH (m)-[r:CONTAINS]->(n) OPTIONAL MATCH p = shortestPath((m)-[*..3]-(n)) RETURN m.path AS q, length(p) AS l ORDER BY q;
MATCH (c:Class) OPTIONAL MATCH (c)-[:INHERITS]->(b:Class) WITH b, count(*) AS n CALL (b) { MATCH (b)-[:DEFINES]->(f) RETURN count(f) AS fs } RETURN b.name AS b, n, fs ORDER BY n DESC, b;
MATCH (c:Class) OPTIONAL MATCH (c)-[:INHERITS]->(b:Class) WITH b, collect(c.name) AS cs WHERE EXISTS { MATCH (b)-[:DEFINES]->(f) MATCH (f)-[:CALLS]->(g) RETURN g } RETURN b.name AS b, size(cs) AS n ORDER BY b;
MATCH (c:Class) OPTIONAL MATCH (c)-[:INHERITS]->(b:Class) WITH b AS base, count(*) AS n RETURN base.name AS b, n, COLLECT { MATCH (base)-[:DEFINES]->(f) RETURN f.name ORDER BY f.name LIMIT 2 } AS l ORDER BY n DESC, b;
MATCH (c:Class) OPTIONAL MATCH (c)-[:INHERITS]->(b:Class) WITH b, count(*) AS n CALL { WITH b OPTIONAL MATCH (b)<-[:CALLS]-(f) RETURN count(f) AS fs } RETURN b.name AS b, n, fs ORDER BY n DESC, b;
MATCH (c:Class) OPTIONAL MATCH (c)-[:INHERITS]->(b:Class) WITH b, count(*) AS n RETURN b.name AS b, n ORDER BY n DESC, b;
MATCH (f:Function) OPTIONAL MATCH (f)-[:CALLS]->(g:Function) RETURN g.kind AS kind, count(*) AS n ORDER BY n DESC, kind;
MATCH (m:Module) OPTIONAL MATCH (m)-[:IMPORTS]->(x) RETURN labels(x)[0] AS kind, count(*) AS n ORDER BY n DESC, kind;

// == Values of other kinds
// no rows
MATCH (f:Function) WHERE 'Oslo' IN f.docstring RETURN f.id AS id;
MATCH (f:Function) WHERE f.docstring IS NOT NULL RETURN f.docstring[0..1] AS x, f.id AS id ORDER BY id LIMIT 5;
MATCH (m:Module) RETURN [x IN m.lines | x + 1] AS a, 5 IN m.lines AS b, any(x IN m.name WHERE x = 'a') AS c, reduce(s = 0, x IN m.path | s + 1) AS d, m.path AS p ORDER BY p;
WITH {a: '["a", 1]'} AS m RETURN 1 IN m.a AS a, [x IN m.a | x] AS b, m.a[0..1] AS c, size(m.a) AS d, [x IN m.a] AS e;
WITH {a: {b: {c: 7}}, l: [1, 'x']} AS m RETURN m.a.b.c AS x, m.l[1] AS y;
UNWIND [1, 'a', 2.5, true] AS x RETURN x + 'b' AS y;
UNWIND [1, 'a', 2.5] AS x RETURN x =~ 'a.*' AS a, x STARTS WITH 'a' AS b, toString(x) AS c;
MATCH (c:Class) RETURN reverse(coalesce(c.bases, c.name)) AS x, c.id AS id ORDER BY id LIMIT 3;
MATCH (c:Class) RETURN size(coalesce(c.docstring, c.bases)) AS x, c.id AS id ORDER BY id;
MATCH (m:Module) WITH m ORDER BY m.id LIMIT 3 WITH collect(m) AS ms UNWIND ms AS n RETURN n {.name, .path} AS x, size(keys(n)) AS k, n.name AS name ORDER BY name;
MATCH (m:Module) WITH m ORDER BY m.id LIMIT 3 WITH collect(m) AS ms RETURN [n IN ms | size(keys(n))] AS k, [n IN ms | n {.name}] AS l, size(keys(head(ms))) AS h;
RETURN +1 AS a, - -1 AS b, --2 AS c, 1 - -1 AS d, -0x10 AS e, +-1 AS f;
MATCH (m:Module) RETURN +m.lines AS a, -m.lines AS b, m.path AS p ORDER BY p;
RETURN split('a,b;c', [',', ';']) AS x, split('', [',', ';']) AS y;
UNWIND ['1234567890123456', '9223372036854775807', '-9223372036854775808', '+00000000000000000000012'] AS t RETURN toInteger(t) AS x;
MATCH (größe:Module) WHERE größe.lines > 10 WITH größe, größe.name AS naïve RETURN größe.path AS 路径, naïve, größe {.name} AS m ORDER BY 路径;
MATCH p = (ä:Module)-[ö:DEFINES]->(ü:Class) RETURN length(p) AS n, [é IN nodes(p) | é.name] AS l, type(ö) AS t ORDER BY l;
// no rows
MATCH (m:Módule) RETURN m.größe AS x;
MATCH (a:Class)-[:INHERITS]->{1,2}(b:Class) MATCH (b)-[:DEFINES*1..2]->(f) RETURN count(*) AS n;
RETURN toStringList([['a'], 1, true]) AS a, toIntegerList([['1'], '2']) AS b;

// == Percentiles and deviations
MATCH (m:Module) RETURN percentileCont(m.lines, 0.5) AS a, percentileDisc(m.lines, 0.9) AS b, stDev(m.lines) AS c, stDevP(m.importance) AS d;
MATCH (f:Function) RETURN f.kind AS k, percentileCont(f.end_line - f.start_line, 0.95) AS p, percentileDisc(DISTINCT f.calls_in, 0.5) AS d, stdev(f.calls_in) AS s ORDER BY k;
MATCH (f:Function) WITH f.path AS path, percentileCont(f.calls_in, 0.75) AS p, count(*) AS n WHERE p > 1 RETURN path, round(p, 2) AS p, n ORDER BY path;
//$ {"p": 0.3}
MATCH (m:Module) RETURN percentileCont(m.lines, $p) AS x, percentileDisc(m.lines, $p) AS y;
MATCH (m:Module) WHERE m.lines < 0 RETURN percentileCont(m.lines, 0.5) AS x, stdev(m.lines) AS y, stdevp(m.lines) AS z;
MATCH (c:Class) OPTIONAL MATCH (c)-[:INHERITS]->(b:Class) RETURN b.name AS b, percentileCont(c.methods, 0.5) AS p, stdevp(c.methods) AS s ORDER BY b;
MATCH (m:Module) RETURN CASE WHEN percentileCont(m.lines, 0.5) > 2 THEN 'a' ELSE 'b' END AS x;
MATCH (f:Function) RETURN percentileCont(f.branches, 0.5) AS p, percentileDisc(f.start_line, 0.9) AS d;
MATCH (f:Function) RETURN stDev(f.calls_in) AS s, stDevP(f.calls_in) AS t, count(*) AS n, avg(f.calls_in) AS a;
MATCH (a:Function)-[:CALLS]->(b:Function) RETURN percentileDisc(b.calls_in, 0.5) AS p, stDev(b.calls_in) AS s;
MATCH (f:Function) RETURN f.kind AS k, stDev(DISTINCT f.branches) AS s, stDevP(DISTINCT f.branches) AS t ORDER BY k;
MATCH (f:Function) RETURN f.kind AS k, percentileCont(f.branches, 0.0) AS a, percentileCont(f.branches, 1.0) AS b, percentileDisc(f.branches, 0.0) AS c, percentileDisc(f.branches, 1.0) AS d ORDER BY k;
MATCH (m:Module) RETURN m.is_test AS t, percentileCont(m.importance, 0.9) AS p, percentileDisc(m.importance, 0.1) AS d ORDER BY t;
MATCH (m:Module) RETURN m.path AS path, stDev(m.lines) AS s, stDevP(m.lines) AS t, percentileCont(m.lines, 0.7) AS p ORDER BY path;
MATCH (m:Module) RETURN percentileCont(m.commits, 0.5) AS p, percentileDisc(m.commits, 0.5) AS d, stDev(m.commits) AS s;
MATCH (c:Class) OPTIONAL MATCH (c)-[:DEFINES]->(f:Function) WITH c.kind AS k, c.id AS id, count(f) AS n RETURN k, percentileCont(n, 0.5) AS p, stDev(n) AS s, stDevP(n) AS t ORDER BY k;
UNWIND [1, 2, 3, 4] AS x RETURN percentileCont(x, 0.4) AS p, percentileDisc(x, 0.4) AS d, stDev(x) AS s, stDevP(x) AS t;
UNWIND [7] AS x RETURN percentileCont(x, 0.4) AS p, percentileDisc(x, 0.4) AS d, stDev(x) AS s, stDevP(x) AS t;
UNWIND [1.5, null, 2.5, 10.0] AS x RETURN percentileCont(x, 0.5) AS p, percentileDisc(x, 0.5) AS d, stDev(x) AS s, stDevP(x) AS t;
MATCH (f:Function) WITH f.kind AS k, percentileCont(f.end_line - f.start_line, 0.5) AS p WHERE p >= 1 RETURN stDev(p) AS s, percentileDisc(p, 0.5) AS d;

// == Rejected by both engines
WITH {a: '["a", 1]'} AS m RETURN m.a[0] AS x;
WITH {a: '{"b": 1}'} AS m RETURN m.a.b AS x;
UNWIND [1, 'a', 2.5] AS x RETURN toUpper(x) AS y;
UNWIND [1, 'a', true] AS x RETURN -x AS y;
MATCH (m:Module) WITH m.name AS t RETURN t {.a} AS x;
UNWIND ['9223372036854775808'] AS t RETURN toInteger(t) AS x;
MATCH (a:Class)-[:INHERITS]->{1}(b:Class)-[:DEFINES*1..2]->(f) RETURN count(*) AS n;
MATCH (a) ((x)-->(y)){1,2} (x) RETURN count(*) AS n;
MATCH (a) ((x)-[*1..2]->(y)){1,2} (b) RETURN count(*) AS n;
MATCH (a) (((x)-->(y)){1,2}){1,2} (b) RETURN count(*) AS n;
MATCH (a)-->((x)-->(y)){1,2} (b) RETURN count(*) AS n;
MATCH p = (a)-[r:CALLS WHERE length(p) > 0]->{1,2}(b) RETURN count(*) AS n;
MATCH p = (a) ((x)-[:CALLS]->(y) WHERE length(p) > 0){1,2} (b) RETURN count(*) AS n;
MATCH (a) ((x)){1,2} (b) RETURN count(*) AS n;
//$ {"p": 3}
MATCH (m:Module) RETURN percentileCont(m.lines, $p) AS x;

// == Names of parameters
//$ {"the word": "open", "größe": 2, "0": 3, "a`b": "run"}
MATCH (f:Function) WHERE f.name CONTAINS $`the word` OR f.name = $`a``b` AND f.calls_in >= $größe RETURN f.id AS id, $0 AS n, $`größe` + $`0` AS m ORDER BY id;
//$ {"count": 1, "match": ["run", "open"], "return": 0, "in": "o"}
MATCH (f:Function) WHERE f.name IN $match AND f.calls_in >= $count - 1 AND f.name CONTAINS $in RETURN f.id AS id, $return AS r ORDER BY id;

// == Quantified path groups
MATCH (a:Class) ((x)-[:INHERITS]->(y)){1,3} (b:Class) RETURN a.id AS a, b.id AS b ORDER BY a, b;
MATCH ((x)-[:INHERITS]->(y)){1,2} RETURN count(*) AS n;
MATCH (a:Function {name: 'query'})-[:CALLS]->(b) ((x)-[:CALLS]->(y)){0,2} (c) RETURN DISTINCT c.id AS c ORDER BY c;
MATCH (a:Class) ((x)<-[r:INHERITS]-(y))+ (b:Class) RETURN a.id AS a, b.id AS b, size(r) AS hops, [s IN r | type(s)] AS kinds ORDER BY a, b, hops;
MATCH p = (m:Module) ((x)-[:DEFINES]->(y)){1,2} (f:Function) RETURN m.path AS path, length(p) AS n, f.id AS f ORDER BY path, n, f;
MATCH (r:Repository) ((x)-[:CONTAINS]->(y)){,2} ((v)-[:DEFINES]->(w)){1} (f) RETURN count(f) AS n;
MATCH (a:Class) ((x)-[:INHERITS]-(y)){1,2} (b:Class) RETURN a.id AS a, b.id AS b, count(*) AS n ORDER BY a, b;
MATCH (a:Class) WHERE EXISTS { MATCH (a) ((x)-[:INHERITS]->(y)){2} (b) } RETURN a.id AS id ORDER BY id;
MATCH (a:Class) ((x:Class)-[:INHERITS]->(y:Class) WHERE x.name <> y.name){1,3} (b:Class) RETURN a.id AS a, b.id AS b ORDER BY a, b;
MATCH (a:Class) ((x)-[:INHERITS]->(y)){1,3} (b:Class) RETURN a.id AS a, [n IN x | n.name] AS names ORDER BY a, names;
MATCH (a:Class) MATCH ((x)-[:INHERITS]->(y) WHERE y.name = a.name){1,2} (b) RETURN a.id AS a, count(b) AS n ORDER BY a;

// == Names that need quotes, and subqueries that begin with a value
MATCH (`1a`:Module) RETURN count(`1a`) AS n;
MATCH (`a$b`:Module)-[`5`:DEFINES]->(`%`) RETURN `a$b`.path AS `a$b`, type(`5`) AS t, `%`.id AS id ORDER BY id;
MATCH `1 p` = (:Class)-[:INHERITS]->() RETURN count(`1 p`) AS n;
RETURN EXISTS { RETURN 1 AS one } AS x;
RETURN COUNT { RETURN 1 AS a UNION ALL RETURN 2 AS a } AS x;
RETURN COLLECT { WITH 1 AS a RETURN a + 1 AS b } AS x;
MATCH (m:Module) RETURN m.id AS id, COUNT { RETURN m } AS x, COLLECT { RETURN m.lines } AS y ORDER BY id;
RETURN timestamp() > 0 AS x;

// == Columns that are named like variables of patterns inside
MATCH (c:Class) RETURN c.name AS c, size([(c)-[:DEFINES]->(m) | m]) AS m ORDER BY c, m;
MATCH (c:Class) RETURN c {.name, n: size([(c)-[:DEFINES]->(m) | m])} AS m;
MATCH (c:Class) RETURN c.name AS g, COUNT { (c)-[:DEFINES]->(m) WHERE m.branches > 1 } AS m, EXISTS { (c)-[:DEFINES]->(g) WHERE g.branches > 3 } AS e;
MATCH (c:Class) RETURN COLLECT { MATCH (c)-[:DEFINES]->(m) RETURN m.name } AS m, c.name AS name;
MATCH (c:Class) WITH c, {n: size([(c)-[:DEFINES]->(m) | m.name])} AS m WHERE m.n > 2 RETURN c.name AS c, m.n AS n;
MATCH (c:Class) WITH *, [(c)-[:DEFINES]->(m) | m.name] AS m RETURN c.name AS c, size(m) AS n;
MATCH (f:Function) RETURN f.kind AS k, sum(size([(f)<-[:CALLS]-(g) | g.name])) AS g;
MATCH (f:Function) RETURN f.kind AS g, avg(COUNT { (f)<-[:CALLS]-(g) }) AS n ORDER BY g;
MATCH (c:Class) WITH c, c.name AS m RETURN [(c)-[:DEFINES]->(k) WHERE k.name <> m | k.name] AS k, m;
MATCH (f:Function) WITH f, [(f)<-[:CALLS]-(g) | g] AS g WHERE size(g) > 2 UNWIND g AS h RETURN DISTINCT h.name AS g;

// == range() with a step
MATCH (m:Module) WITH COUNT { (m)-[:DEFINES]->() } AS e RETURN e, range(0, e, 2) AS a, range(1, e, -2) AS b, range(e, 7, 3) AS c, range(5, -e, -3) AS d;
MATCH (f:Function) WITH collect(f.id) AS ids UNWIND range(0, size(ids) - 1, 100) AS at RETURN at, size(ids[at..at + 100]) AS n ORDER BY at;
RETURN range(0, 1, -5) AS a, range(0, -1, 2) AS b, range(0, -2, 2) AS c, range(10, 0, -4) AS d, range(0, 9223372036854775807, 9223372036854775806) AS e;
//$ {"n": 7}
RETURN range(1, $n, 3) AS a, range($n, 1, -3) AS b, range($n, 20, 5) AS c;

// == Rejected by both engines
MATCH (m:Module) WITH CASE WHEN m.lines < 0 THEN 1 END AS e RETURN range(e, 9, 4) AS x;

// == Joins by lookups
MATCH (f:Function) WITH f.kind AS kind, collect(f.name) AS names MATCH (c:Function) WHERE c.name IN names AND c.kind <> kind RETURN kind, c.id AS c, size(names) AS n;
MATCH (f:Function) WITH collect(f.docstring) AS texts MATCH (c:Function) WHERE c.docstring IN texts RETURN c.id AS c, texts[0] IS NULL AS x;
MATCH (f:Function) WITH collect(DISTINCT f.name) AS names, count(*) AS n MATCH (f:Function) WHERE f.name IN names AND f.calls_in > n / 200 RETURN f.id AS f;
MATCH (f:Function), (g:Function) WHERE f.name = g.name AND f.id < g.id RETURN f.id AS f, g.id AS g;
MATCH (f:Function), (c:Class) WHERE c.name = f.name RETURN count(*) AS n;
MATCH (f:Function), (m:Module) WHERE f.path = m.path AND f.end_line - f.start_line > 12 RETURN f.id AS f, m.id AS m;
MATCH (f:Function) WHERE f.start_line > 1 MATCH (g:Function) WHERE '_' + g.name = f.name RETURN f.id AS f, g.id AS g;
MATCH (f:Function) MATCH (g:Function) WHERE g.name = substring(f.name, 1) RETURN f.id AS f, g.id AS g;
MATCH (f:Function) WHERE NOT EXISTS { MATCH (g:Function) WHERE g.name = f.name AND g <> f } RETURN count(f) AS n;
MATCH (f:Function) WHERE COUNT { MATCH (g:Function) WHERE g.name = f.name } > 5 RETURN f.id AS f;
MATCH (f:Function) OPTIONAL MATCH (c:Class) WHERE c.name = f.name RETURN f.id AS f, c.id AS c;
MATCH (f:Function) OPTIONAL MATCH (b:Function) WHERE b.docstring = f.docstring AND b <> f RETURN f.id AS f, count(b) AS n;
MATCH (a:Function)-[:CALLS]->(b:Function), (c:Class)-[:DEFINES]->(d:Function) WHERE b.name = d.name RETURN count(*) AS n;
MATCH (a:Function)-[:CALLS]->(b:Function), (c:Function)-[:CALLS]->(d:Function) WHERE b.name = d.name AND a.name = 'query' RETURN count(*) AS n;
MATCH (f:Function)-[:CALLS]->(x), (g:Function)-[:CALLS]->(x) WHERE f <> g AND f.name = 'check' RETURN f.id AS f, g.id AS g, x.id AS x;
MATCH (f:Function)-[:CALLS]->(x), (g:Function)-[:CALLS]->(x) RETURN count(*) AS n;
MATCH (f:Function)-[:CALLS]->(x:Function), (x)-[:CALLS]->(g), (m:Module)-[:DEFINES]->(f) RETURN count(*) AS n;
MATCH (f:Function {name: 'check'}), (g {id: f.id}) RETURN f.id AS f, g.id AS g;
MATCH (f:Function), (g {id: f.id}) RETURN count(*) AS n;
MATCH (f:Function), ({id: f.id}) RETURN count(*) AS n;
// no rows
MATCH (f:Function)-[:CALLS]->(g {id: f.id + 'x'}) RETURN f.id AS f;
MATCH (f:Function)-[:CALLS]->(g {id: f.id}) RETURN f.id AS f;
MATCH (f:Function) WHERE EXISTS { (f)-[:CALLS]->(g {id: f.id}) } RETURN f.id AS f;
MATCH (f:Function) RETURN f.id AS f, [(f)-[:CALLS]->(g {id: f.id}) | g.name] AS own;
MATCH (m:Module) WITH m.path AS path, m.name AS name MATCH (f:Function) WHERE f.path = path RETURN name, count(f) AS n;
MATCH (a:Class)-[r:INHERITS]->(b:Class) MATCH (x)-[r]-(y) RETURN x.id AS x, y.id AS y;
MATCH (a:Function)-[r:CALLS]->(b:Function) MATCH (x:Function)-[r]-(y) WHERE x.is_test RETURN x.id AS x, y.id AS y;
MATCH (a:Function)-[r:CALLS]->(a) MATCH (x)-[r]-(y) RETURN x.id AS x, y.id AS y;
MATCH (a:Class)-[r:INHERITS]->(b:Class) MATCH (x)-[r]-(y)-[:DEFINES]->(f) RETURN count(*) AS n;
MATCH (a:Class)-[r:INHERITS]->(b:Class) MATCH (x)-[r:INHERITS|CALLS]-(y) RETURN count(*) AS n;
MATCH (a:Class)-[r:INHERITS]->(b:Class) MATCH p = (x)-[r]-(y) RETURN x.id AS x, length(p) AS n;
MATCH (a:Class) OPTIONAL MATCH (a)-[r:INHERITS]->(b:Class) MATCH (x)-[r]-(y) RETURN a.id AS a, x.id AS x, y.id AS y;
MATCH (f:Function), (m:Module), (c:Class) WHERE f.path = m.path AND c.path = m.path AND f.name = c.name RETURN count(*) AS n;
MATCH (f:Function), (c:Class) WHERE toLower(f.name) = toLower(c.name) RETURN f.id AS f, c.id AS c;
MATCH (f:Function) MATCH (g:Function) WHERE toLower(f.name) = toLower(g.name) AND f.id < g.id AND f.calls_in > 0 RETURN f.id AS f, g.id AS g;
MATCH (f:Function), (d:Document) WHERE split(d.path, '/')[0] = split(f.path, '/')[0] AND d.lines > 10 WITH * RETURN count(*) AS n;
MATCH (f:Function), (g:Function) WHERE f.docstring + '' = toUpper(g.docstring) + '' RETURN count(*) AS n;
MATCH (f:Function), (g:Function) WHERE replace(f.name, '_', '') = toLower(g.name) AND f.path = 'x' RETURN count(*) AS n;
MATCH (f:Function) WHERE f.name = 'check' MATCH (c:Class), (g:Function) WHERE toLower(c.name) = toLower(g.name) RETURN f.id AS f, c.id AS c, g.id AS g;

// == Projections, computed keys and quantified paths
MATCH (c:Class) RETURN c {.*} AS c;
MATCH (c:Class) RETURN c {.*, kind: 'class'} AS c ORDER BY c.qualname, c.id;
MATCH (c:Class)-[r:INHERITS]->(d) RETURN r {.*} AS r, d {.*} AS d;
UNWIND ['name', 'path', 'title', 'type', 'nothing'] AS key MATCH (f:Function) RETURN key, f.id AS id, f[key] AS value;
MATCH (a:Function)-[r:CALLS]->(b) UNWIND keys(r) AS key RETURN a.id AS a, b.id AS b, key, r[key] AS value;
MATCH (f:Function) OPTIONAL MATCH (f)-[:OVERRIDES]->(g) UNWIND ['name', 'kind'] AS key RETURN f.id AS f, key, g[key] AS value;
UNWIND ['12', '1234567890123456789', '99999999999999999999', '-99999999999999999999', 'x'] AS t RETURN t, toIntegerOrNull(t) AS n;
MATCH (a:Function)-[r:CALLS WHERE r.count > 1]->{1,3}(b) RETURN a.id AS a, b.id AS b, size(r) AS n;
MATCH (a:Function)-[:CALLS WHERE true]->{1,2}(b:Function) WHERE a.name = 'check' RETURN b.id AS b;
MATCH (a:Function) ((x)-[:CALLS]->(y) WHERE x.calls_out > 2 AND y.name <> 'len'){1,3} (b:Function) RETURN a.id AS a, b.id AS b;
MATCH (a:Function) ((x:Function)-[r:CALLS]->(y:Function {is_test: false})){1,2} (b) RETURN a.id AS a, b.id AS b, size(r) AS n;
MATCH (a:Class) ((x)-[:INHERITS]->(y) WHERE x.language = b.language){1,2} (b) RETURN a.id AS a, b.id AS b;
MATCH (a:Class) ((x)-[:INHERITS]->(y)){1,2} (b) ((u)-[:INHERITS]-(v) WHERE size(x) > 1 OR u.path = a.path){1} (d) RETURN count(*) AS n;
MATCH (a:Class) ((x {language: z.language})-[:INHERITS]->(y WHERE y <> a)){1,2} (b), (z:Class {name: 'GraphEngine'}) RETURN count(*) AS n;
MATCH (a:Class)-[r:INHERITS WHERE a.path = b.path]->{1,2}(b) RETURN count(*) AS n;
MATCH (a) ((x)-->(y) WHERE x.name = a.name){1,2} (b) RETURN count(*) AS ways;
MATCH (a) ((x)-[:CALLS {count: 1}]->(y)){2,2} (b) RETURN a.id AS a, b.id AS b;
MATCH (a) ((x {name: 'check'})-[r:CALLS]->(y)){1,2} (b) RETURN a.id AS a, b.id AS b;
MATCH (a:Class) ((x)<-[:INHERITS]-(y:Class WHERE y.name <> 'x')){1,3} (b:Class) RETURN a.id AS a, b.id AS b;
MATCH (a:Class) ((x)-[r:INHERITS]->(y) WHERE x <> y){1,2} (b) RETURN a.id AS a, b.id AS b, [i IN r | type(i)] AS t;
MATCH (a:Function) WHERE EXISTS { (a) ((x)-[:CALLS]->(y:Function)){2,3} (b) } RETURN a.id AS a;
MATCH p = SHORTEST 1 (a:Function {name: 'query'})-[:CALLS]->+(b:Function {name: 'refuse'}) RETURN a.id AS a, b.id AS b, length(p) AS n;
MATCH p = ANY SHORTEST (a:Class)-[:INHERITS]->{1,4}(b:Class) WHERE a.id <> b.id RETURN a.id AS a, b.id AS b, length(p) AS n;
MATCH p = ALL SHORTEST (a:Function {name: 'query'})-[:CALLS]->+(b:Function {name: 'refuse'}) RETURN [n IN nodes(p) | n.id] AS ids;

// == Path selectors
MATCH p = SHORTEST 2 (a:Function {name: 'query'})-[:CALLS]->+(b:Function {name: 'refuse'}) RETURN a.id AS a, b.id AS b, length(p) AS n;
MATCH p = SHORTEST 3 PATHS (a:Class)-[r:INHERITS]->{1,4}(b:Class) RETURN a.id AS a, b.id AS b, length(p) AS n, size(r) AS r;
MATCH p = SHORTEST 2 GROUPS (a:Module {path: 'quarry/graphstore/store.py'})-[:DEPENDS_ON]->{1,5}(b:Module {path: 'quarry/graphstore/errors.py'}) RETURN [n IN nodes(p) | n.id] AS ids;
MATCH p = SHORTEST 2 PATH GROUPS (a:Class {name: 'Store'})-[:INHERITS]-{0,3}(b:Class) RETURN b.id AS b, [n IN nodes(p) | n.id] AS ids;
MATCH p = SHORTEST 1 GROUP (a:Function {name: 'query'})-[:CALLS]->+(b:Function {name: 'refuse'}) RETURN [n IN nodes(p) | n.id] AS ids;
MATCH p = ANY (a:Class)-[:INHERITS]->{1,4}(b:Class) WHERE a.id <> b.id RETURN a.id AS a, b.id AS b;
MATCH ANY 2 PATHS (a:Module {path: 'quarry/graphstore/store.py'})-[:DEPENDS_ON]->{1,4}(b:Module) RETURN b.id AS b, count(*) AS n;
MATCH p = SHORTEST 3 (a:Function {name: 'query'})-[r:CALLS WHERE r.count < 3]->{1,4}(b:Function) WHERE length(p) > 1 RETURN a.id AS a, b.id AS b, length(p) AS n;
MATCH (a:Module), (b:Module) WHERE a.path < b.path AND a.lines > 300 AND b.lines > 300 MATCH p = SHORTEST 2 (a)-[:DEPENDS_ON]-{1,4}(b) RETURN a.path AS a, b.path AS b, length(p) AS l;
MATCH (a:Module {path: 'quarry/graphstore/store.py'}) MATCH p = SHORTEST 2 GROUPS (a)-[:DEPENDS_ON]-{1,4}(a) RETURN [n IN nodes(p) | n.path] AS ids;
MATCH (a:Class) WHERE EXISTS { MATCH SHORTEST 2 (a)-[:INHERITS]->+(b:Class) } RETURN a.id AS a, COUNT { MATCH SHORTEST 2 GROUPS (a)-[:INHERITS]->+(b:Class) RETURN b } AS n;
MATCH (a:Function {name: 'query'}) MATCH p = SHORTEST 2 (a)-[:CALLS]->{2,4}(b:Function) RETURN a.id AS a, b.id AS b, length(p) AS n;
MATCH SHORTEST 2 (a:Class)-[:INHERITS]->{1,2}(b:Class) RETURN count(*) AS n;
MATCH p = SHORTEST 2 (a:Class)<-[:INHERITS]-{1,2}(b:Class) RETURN *;

// == Quantified path groups that are written out
MATCH (m:Module) ((x)-[:DEFINES]->(y:Function)-[r:CALLS]->(z)){1,1} (b) RETURN b.id AS b, size(r) AS n;
MATCH (a:Function) ((x)-[:CALLS]->(y)-[:CALLS]->(z) WHERE x.path = z.path){1,2} (b) RETURN a.id AS a, b.id AS b, [n IN y | n.id] AS ys;
MATCH (a:Class) ((x)-[:INHERITS]->(y))+ (b:Class) RETURN a.id AS a, b.id AS b, [n IN x | n.name] AS xs, [n IN y | n.name] AS ys;
MATCH (a:Class) ((x)-[:INHERITS]-(y:Class)){1,2} (b) RETURN *;
MATCH (a:Class) MATCH p = (a) ((x)-[:DEFINES]->(y)-[c:CALLS]->(z:Function)){2} (b) WHERE size(x) = 2 RETURN a.id AS a, length(p) AS n, b.id AS b;
MATCH (a:Function) WHERE EXISTS { (a) ((x)-[:CALLS]->(y)-[:CALLS]->(z)){1,2} (b:Function) WHERE b.name <> a.name } RETURN a.id AS a;
MATCH (a:Function) ((x)-[:CALLS]->(y) WHERE (y)-[:CALLS]->()){1,2} (b) RETURN b.id AS b;
MATCH (a:Function) ((x)-[:CALLS]->(x)){1,2} (b) RETURN b.id AS b;
MATCH (a:Function {name: 'query'}) ((x {is_test: false})-[r:CALLS {count: 1}]->(y WHERE y.name <> x.name)<-[s:CALLS]-(z:Function)){1,1} (b) RETURN a.id AS a, b.id AS b, r[0].how AS how;
MATCH (a:Class) ((x)-[:INHERITS]->(y)){1,2} (b:Class) ((v)-[:DEFINES]->(w)-[:CALLS]->(u)){1,2} (c) RETURN a.id AS a, [n IN w | n.name] AS w, c.id AS c;
MATCH (c:Class {name: 'Store'}), (d:Class) ((x)-[:INHERITS]->(y)-[:INHERITS]->(z)){1,2} (b) WHERE c.path <> d.path RETURN c.id AS c, d.id AS d, size(z) AS n;
MATCH (a:Function)-[r:CALLS]->(b) ((x)-[:CALLS]->(y)){1,2} (c) WHERE a.name = 'query' AND NOT b IN y RETURN r.count AS n, c.id AS c, [n IN y | n.name] AS names;
MATCH (a:Function {name: 'query'}) RETURN COUNT { (a) ((x)-[:CALLS]->(y)-[:CALLS]->(z)){1,2} (b) } AS n;
MATCH (q:Function {name: 'query'}) MATCH (a) ((x)-[:CALLS]->(y) WHERE y IN [q]){1,2} (b) RETURN a.id AS a, b.id AS b;
MATCH (a:Class) ((x)-[:INHERITS]->(y)-[:INHERITS]->(z)){0,1} (b:Class) RETURN a.id AS a, b.id AS b, [n IN z | n.name] AS zs;
MATCH (a:Function) ((x)-[:CALLS]->(y WHERE y.is_test = x.is_test)){,2} (b) WHERE a.name = 'check' RETURN b.id AS b, size(x) AS n;
MATCH (a:Class)-[:DEFINES]->(f) ((x)-[r:CALLS]->(y)){0,1} (g) ((v)-[:CALLS]->(w)){0,1} (h {name: 'refuse'}) RETURN f.id AS f, h.id AS h, size(r) AS n, size(w) AS m;

// == Never refused: days
MATCH (m:Module) WHERE date(m.last_changed) >= date('2025-06-01') RETURN m.id AS m;
MATCH (m:Module) WHERE NOT date('2024-07-01') > date(m.last_changed) OR m.owner IS NULL RETURN m.id AS m, m.owner AS owner;
MATCH (m:Module) WHERE datetime('2025-01-01') <= datetime(m.last_changed) < datetime('2026-01-01') RETURN m.id AS m;
MATCH (m:Module) RETURN date(m.last_changed) = date('2025-02-02') AS same, date(m.last_changed) <> date('2025-02-02') AS other;
MATCH (m:Module) RETURN date(m.last_changed).year AS year, datetime(m.last_changed).month AS month, date(m.last_changed).day AS day;
MATCH (r:Repository), (m:Module) WHERE date(m.last_changed) < date(r.commit_date) RETURN r.id AS r, max(m.last_changed) AS newest;
MATCH (r:Repository) WHERE date(datetime(r.indexed_at)) > date(r.commit_date) AND date(datetime(r.indexed_at)) <= date('2026-02-01') RETURN r.id AS r, r.indexed_at AS at, datetime(r.indexed_at).month AS month, date(datetime(r.indexed_at)).day AS day;
RETURN date('2026-01-31').year AS year, date('2026-01-31') < date('2026-02-01') AS less;

// == Rejected by both engines: path selectors
MATCH p = SHORTEST 1 (a:Function)-[:CALLS]->(b), (c) RETURN p;
MATCH p = SHORTEST 0 (a:Function)-[:CALLS]->+(b) RETURN p;
MATCH p = SHORTEST (a:Function)-[:CALLS]->+(b) RETURN p;
MATCH p = SHORTEST 2 (a:Function)-[:CALLS]->+(b), (c) RETURN p;
