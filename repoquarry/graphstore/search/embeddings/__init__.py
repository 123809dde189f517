"""Text embeddings and nearest neighbors.

Import from the modules: this package imports nothing, so that a process without semantic search loads neither FAISS nor a model.
"""
