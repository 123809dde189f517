"""Views of tool output and their truncation."""
