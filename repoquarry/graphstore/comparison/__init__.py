"""Two stored revisions beside each other: definitions and edges that came, went, moved or changed."""
