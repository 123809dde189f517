"""Cypher text to syntax tree and back."""
