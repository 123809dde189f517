"""Repairs of a plan, by what a log says: one file a kind."""
