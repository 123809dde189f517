"""One file per tool, in rooms by what it does; each is a named Cypher query, a view of a file or an act in the workspace."""
