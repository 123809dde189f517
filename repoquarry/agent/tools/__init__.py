"""One file per tool; each is a named Cypher query or a file view."""
