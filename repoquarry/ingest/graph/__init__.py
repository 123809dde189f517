"""Facts, resolution and scores to the graph of one repository."""
