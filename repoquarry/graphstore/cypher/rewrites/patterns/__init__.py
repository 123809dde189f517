"""Patterns for an engine that reads fewer of them."""
