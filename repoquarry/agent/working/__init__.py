"""Putting a repository to work without a model: its entry points, what their help says, and command lines with the task's files."""
