"""Queries: Cypher gate, scheduling, sandbox, named queries."""
