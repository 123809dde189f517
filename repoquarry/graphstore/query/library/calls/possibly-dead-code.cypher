// Functions without a known use: private ones, and public ones on request.
// $repository: string = ""; id of the repository, empty for all
// $public: boolean = false; whether to list public functions, which other code may use
MATCH (f:Function)
WHERE ($repository = '' OR f.repository = $repository)
  AND NOT EXISTS { MATCH (f)<-[:CALLS]-(c) WHERE c <> f }
  AND NOT EXISTS { MATCH (f)<-[r:REFERENCES]-() WHERE r.kind <> 'import' }
MATCH (m:Module {id: f.repository + ':' + f.path}) WHERE m.repository = f.repository
OPTIONAL MATCH (k:Class)-[:DEFINES]->(f)
WITH f, CASE
  WHEN NOT m.calls_resolved OR NOT m.parses THEN 'calls of its file are not resolved'
  WHEN m.is_test OR f.is_test THEN 'test'
  WHEN m.is_generated THEN 'generated'
  WHEN NOT f.kind IN ['function', 'method'] OR f.is_abstract THEN 'property, constructor, lambda or declaration'
  WHEN f.name STARTS WITH '_' AND f.name ENDS WITH '_' THEN 'called by the language or a protocol'
  WHEN f.entry_points IS NOT NULL OR f.decorators IS NOT NULL THEN 'entry point or decorated'
  WHEN EXISTS { (f)-[:OVERRIDES]-() } OR k.kind IN ['interface', 'protocol', 'trait'] THEN 'member of an interface or override'
  WHEN EXISTS { MATCH (k)-[:INHERITS*0..8]->(:Class)-[:INHERITS]->(e:External)
      WHERE NOT e.name IN ['object', 'Object', 'Enum', 'Record', 'NamedTuple', 'ABC'] } THEN 'may override a member of an external base'
  WHEN any(d IN coalesce(k.decorators, []) WHERE NOT split(split(d, '(')[0], '.')[-1] IN ['dataclass', 'define', 'final', 's', 'total_ordering'])
    THEN 'member of a decorated class'
  WHEN EXISTS { (n:Name {id: f.repository + ':name:' + f.name})<-[:UNRESOLVED]-() WHERE n.repository = f.repository } THEN 'an unresolved call has its name'
  WHEN f.is_quoted THEN 'a string has its name'
  WHEN f.name IN m.exports OR k.name IN m.exports THEN 'exported'
  WHEN EXISTS { (:Function)-[:DEFINES]->(f) } THEN 'inside a function, which may return it'
  WHEN NOT f.name STARTS WITH '_' AND NOT f.name STARTS WITH '#' THEN 'public'
  WHEN k IS NOT NULL AND EXISTS { MATCH (g:Function {name: f.name})<-[:CALLS]-(c) WHERE g.repository = f.repository AND c <> g }
    THEN 'another method of its name is called'
  ELSE '' END AS reason
WHERE reason = '' OR (reason = 'public' AND $public)
RETURN f.path AS path, f.start_line AS line, f.qualname AS name, reason ORDER BY reason, path, line, name
