"""Where repositories may come from that are not indexed yet: one file per kind of source."""
