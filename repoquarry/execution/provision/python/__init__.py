"""Environments of Python repositories."""
