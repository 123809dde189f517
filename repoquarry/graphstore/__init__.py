"""The stored graph: schema, engines, Cypher guard, named queries, writer, vectors, search and context."""
