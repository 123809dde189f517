"""Tools that read and write files of a task's workspace."""
