"""Repository -> source files -> facts -> resolved graph -> scores -> embeddings -> stored graph."""
