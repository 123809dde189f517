// Paths of the source files that hold no tests.
// $repositories: list; ids of the repositories
MATCH (n:Module) WHERE n.repository IN $repositories AND n.is_test = false
RETURN n.repository AS repository, n.path AS path ORDER BY repository, path
