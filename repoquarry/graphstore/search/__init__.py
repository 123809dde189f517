"""Code search, and localization of the files and definitions that a task is about, over indexed repositories."""
