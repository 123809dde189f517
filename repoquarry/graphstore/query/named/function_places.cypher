// Functions of a repository with their file and whether they are tests.
// $repository: string; id of the repository
MATCH (n:Function) WHERE n.repository = $repository RETURN n.id AS id, n.path AS path, n.is_test AS is_test
