"""Tools that run commands in a task's workspace, and what they show of a command's outcome."""
