"""Text embedding models (embedders), and nearest-neighbor search over their vectors.

Import from the modules: this package imports nothing, so that a process without semantic search loads neither FAISS nor a model.
"""
