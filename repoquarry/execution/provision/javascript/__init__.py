"""Environments of JavaScript repositories."""
