"""Words of texts, read natively: for the search index and for the static embedder. See docs/words.md."""
