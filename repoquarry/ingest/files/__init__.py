"""From a checked-out tree to texts and facts: selection, manifests, documents, cache and worker processes."""
