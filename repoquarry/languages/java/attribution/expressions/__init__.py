"""Expressions: what names mean, which methods calls reach, and of what types the results are."""
