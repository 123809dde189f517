"""Isolation of commands."""
