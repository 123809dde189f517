"""Aggregations for an engine that lacks some, or reads them in fewer places."""
