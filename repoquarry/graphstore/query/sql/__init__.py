"""Compiler of read-only Cypher queries to SQL for DuckDB, and the functions in Python that the SQL calls."""
