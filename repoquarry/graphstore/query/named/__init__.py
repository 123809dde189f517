"""Named queries in portable Cypher with typed parameters."""
