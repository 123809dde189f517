"""Isolation of a task's commands: what a command may see, and the variants that hold it to that."""
