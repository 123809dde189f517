"""Cypher compiler: parses a query, checks it and rewrites it for the dialect of an engine."""
