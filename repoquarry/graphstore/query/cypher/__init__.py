"""Cypher compiler: parse, check, rewrite for an engine's dialect."""
