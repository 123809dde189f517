"""Named queries of our own, in portable Cypher with typed parameters."""
