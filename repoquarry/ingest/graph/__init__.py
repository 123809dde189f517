"""Property graph of one repository: built from facts, resolution and scores, written, and linked to other repositories."""
