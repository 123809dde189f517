"""Environments for repositories: what a repository needs, installed in isolation, repaired by what the logs say, shared read-only."""
