"""From facts, resolution and scores to the nodes and relationships of one repository."""
