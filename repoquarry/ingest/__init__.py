"""Ingestion: a source to an indexed repository in a store."""
