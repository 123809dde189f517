"""Text -> vectors -> nearest neighbours: pluggable embedders, a resumable vector cache, and one FAISS index a repository.

Import from the modules; nothing is imported here, so that a process that never searches by meaning loads neither FAISS
nor any model.
"""
