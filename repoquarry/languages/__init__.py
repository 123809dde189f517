"""Languages: one folder each, registered by one line in `registry`."""
