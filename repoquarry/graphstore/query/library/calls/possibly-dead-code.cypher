// Uncalled functions, with the number of unresolved calls that may mean them.
// $repository: string = ""; id of the repository, empty for all
MATCH (f:Function) WHERE f.calls_in = 0 AND ($repository = '' OR f.repository = $repository)
WITH f.repository AS repository, f.name AS called, collect(f) AS functions
OPTIONAL MATCH (:Name {id: repository + ':name:' + called})<-[u:UNRESOLVED]-()
WITH functions, coalesce(sum(u.count), 0) AS possible UNWIND functions AS f
RETURN f.path AS path, f.qualname AS name, possible ORDER BY possible, path, name LIMIT 50
