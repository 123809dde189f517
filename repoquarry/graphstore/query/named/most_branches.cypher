// The functions with the most branches.
// $repository: string = ""; id of the repository, empty for all
// $limit: integer = 20; maximum number of rows
MATCH (n:Function) WHERE ($repository = '' OR n.repository = $repository)
RETURN n.id AS id, n.branches AS branches, n.path AS path, n.qualname AS qualname
ORDER BY branches DESC, id LIMIT $limit
