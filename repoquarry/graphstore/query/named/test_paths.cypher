// Paths of the source files that hold tests.
// $repositories: list; ids of the repositories
MATCH (n:Module) WHERE n.repository IN $repositories AND n.is_test RETURN n.path AS path ORDER BY path
