"""Calls: their arguments, what they reach and give, decorators and wrappers."""
