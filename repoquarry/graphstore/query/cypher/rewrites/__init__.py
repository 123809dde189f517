"""Exact rewrites used by dialects."""
