"""Semantic checks of a query: names, types, grouping."""
