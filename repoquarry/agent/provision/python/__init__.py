"""Environments of Python repositories: planned, installed, checked by importing, repaired by what the logs say."""
