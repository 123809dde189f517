"""Execution of untrusted code: sandboxed commands, workspaces of tasks, and environments with a repository's dependencies."""
