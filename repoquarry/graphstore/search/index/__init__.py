"""Search index of one repository revision: terms, embeddings, names, graph edges and commits of its files and definitions."""
