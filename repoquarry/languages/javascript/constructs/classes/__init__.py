"""Classes: what makes them, and their members."""
