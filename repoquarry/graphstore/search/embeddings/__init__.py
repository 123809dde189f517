"""Text embeddings and nearest neighbors.

Import from the modules; nothing is imported here, so that a process that never searches by meaning loads neither FAISS
nor any model.
"""
