// Decorators of functions and classes by name, without their arguments.
// $repository: string = ""; id of the repository, empty for all
MATCH (x:Function|Class)
WHERE $repository = '' OR x.repository = $repository
UNWIND x.decorators AS decorator
RETURN split(decorator, '(')[0] AS decorator, count(*) AS n ORDER BY n DESC, decorator
