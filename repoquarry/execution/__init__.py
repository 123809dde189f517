"""Execution: isolated commands, task workspaces, environments of repositories."""
