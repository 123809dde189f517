"""Workspaces of tasks."""
