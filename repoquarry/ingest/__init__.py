"""Ingestion pipeline: from a repository source (folder, git, archive, package) to its graph and search index in the store."""
