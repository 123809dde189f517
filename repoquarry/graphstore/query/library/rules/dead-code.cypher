// No private function without a known use.
// rule
// $repository: string = ""; id of the repository, empty for all
MATCH (f:Function)
WHERE ($repository = '' OR f.repository = $repository)
  AND NOT EXISTS { MATCH (f)<-[:CALLS]-(c) WHERE c <> f }
  AND NOT EXISTS { MATCH (f)<-[r:REFERENCES]-() WHERE r.kind <> 'import' }
MATCH (m:Module {id: f.repository + ':' + f.path}) WHERE m.repository = f.repository
OPTIONAL MATCH (k:Class)-[:DEFINES]->(f)
WITH f, m, k, f.language IN ['javascript', 'typescript'] AS is_script, left(f.name, 1) = toUpper(left(f.name, 1)) AS is_capital,
  ['staticmethod', 'classmethod', 'lru_cache', 'cache', 'contextmanager', 'asynccontextmanager', 'wraps', 'deprecated', 'no_type_check',
   'final', 'Deprecated', 'SuppressWarnings', 'SafeVarargs', 'Nullable', 'NonNull', 'NotNull', 'CheckReturnValue'] AS plain
WITH f, CASE
  WHEN NOT m.calls_resolved OR NOT m.parses THEN 'calls of its file are not resolved'
  WHEN m.is_test OR f.is_test THEN 'test'
  WHEN m.is_generated THEN 'generated'
  WHEN NOT f.kind IN ['function', 'method'] OR f.is_abstract THEN 'property, constructor, lambda or declaration'
  WHEN (f.name STARTS WITH '_' AND f.name ENDS WITH '_')
    OR (f.language = 'java' AND f.name IN ['readObject', 'writeObject', 'readResolve', 'writeReplace'])
    OR (is_script AND (f.name STARTS WITH '@@' OR f.name IN ['handleEvent', 'toJSON', 'toString', 'valueOf', 'then']))
    THEN 'called by the language or a protocol'
  WHEN f.entry_points IS NOT NULL OR any(d IN coalesce(f.decorators, []) WHERE NOT split(split(d, '(')[0], '.')[-1] IN plain)
    THEN 'entry point or decorated'
  WHEN EXISTS { (f)-[:OVERRIDES]-() } OR k.kind IN ['interface', 'protocol', 'trait'] THEN 'member of an interface or override'
  WHEN EXISTS { MATCH (k)-[:INHERITS*0..8]->(:Class)-[:INHERITS]->(e:External)
      WHERE NOT e.name IN ['object', 'Object', 'Enum', 'Record', 'NamedTuple', 'ABC'] } THEN 'may override a member of an external base'
  WHEN any(d IN coalesce(k.decorators, []) WHERE NOT split(split(d, '(')[0], '.')[-1] IN ['dataclass', 'define', 'final', 's', 'total_ordering'])
    THEN 'member of a decorated class'
  WHEN EXISTS { (n:Name {id: f.repository + ':name:' + f.name})<-[:UNRESOLVED]-() WHERE n.repository = f.repository } THEN 'an unresolved call has its name'
  WHEN coalesce(f.is_mentioned, true) THEN 'its name, or a part that code completes, occurs elsewhere'
  WHEN f.path ENDS WITH '.vue' OR f.path ENDS WITH '.svelte' THEN 'inside a function or an object, which may offer it'
  WHEN k IS NULL AND f.qualname <> f.name THEN CASE
    WHEN f.language = 'python' THEN '' ELSE 'inside a function or an object, which may offer it' END
  WHEN f.name STARTS WITH '_' OR f.name STARTS WITH '#' OR (f.language = 'go' AND NOT is_capital) THEN ''
  WHEN f.language = 'go' AND (k IS NOT NULL OR NOT (f.path CONTAINS 'internal/' OR f.path STARTS WITH 'cmd/'))
    THEN 'exported, or of an interface of another package'
  WHEN is_script AND k IS NULL AND ('default' IN m.exports OR EXISTS { MATCH (m)<-[i:IMPORTS]-(:Module) WHERE '*' IN i.names })
    THEN 'exported, or of an interface of another package'
  WHEN is_script AND k IS NULL AND NOT f.name IN m.exports THEN ''
  WHEN any(p IN ['get', 'set', 'is'] WHERE f.name STARTS WITH p AND k IS NOT NULL AND f.language IN ['java', 'kotlin', 'csharp', 'php'])
    THEN 'accessor, which libraries read by its name'
  WHEN NOT is_script AND m.entry_points IS NULL AND NOT EXISTS { (m)<-[:DEPENDS_ON]-(:Module) } AND NOT EXISTS { (m)-[:CALLS]->() }
    THEN 'no file uses its file, which a tool may load'
  ELSE 'public' END AS reason
WHERE reason = ''
RETURN f.path AS path, f.start_line AS line, f.qualname AS name ORDER BY path, line, name
