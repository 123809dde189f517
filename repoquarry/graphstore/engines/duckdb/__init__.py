"""Embedded graph engine on DuckDB: tables of nodes and relationships, and queries that are compiled to SQL."""
