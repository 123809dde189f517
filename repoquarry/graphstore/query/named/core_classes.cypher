// The core classes of repositories, the most important first.
// $repositories: list; ids of the repositories
MATCH (n:Class) WHERE n.repository IN $repositories AND n.is_core
RETURN n AS node ORDER BY n.importance DESC, n.id
