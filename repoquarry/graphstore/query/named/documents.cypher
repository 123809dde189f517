// Prose files of a repository.
// $repositories: list; ids of the repositories
MATCH (n:Document) WHERE n.repository IN $repositories RETURN n AS node ORDER BY n.id
