"""IndexService: what may be indexed, the jobs that do it, and what they report."""
