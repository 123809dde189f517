"""Exact rewrites that a dialect names."""
