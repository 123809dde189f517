"""The world outside the repository: its tables, calls of it, and what frameworks and texts load."""
