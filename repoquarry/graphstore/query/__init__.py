"""Execution of Cypher queries: check of untrusted ones, scheduling, sandbox processes, result buffer, library of named queries."""
