"""The Cypher that analysts may send: parsed, checked, and made to mean the same on every engine."""
