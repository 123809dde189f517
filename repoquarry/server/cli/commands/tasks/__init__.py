"""Commands that put indexed repositories to work."""
