"""Exports of a repository's graph."""
