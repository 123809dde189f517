"""Workspace of an agent task: its folder with files and commands, uploads, package installation, and completion checks."""
