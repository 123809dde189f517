// Decorators in use.
// $repository: string = ""; id of the repository, empty for all
MATCH (f:Function)
WHERE $repository = '' OR f.repository = $repository
UNWIND f.decorators AS decorator
RETURN decorator, count(*) AS n ORDER BY n DESC, decorator
