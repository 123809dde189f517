"""Persistence in the data folder: SQLite store of source texts and snapshots, git history, compression, writer lock."""
