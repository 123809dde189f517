"""Child processes: worker modules of RepoQuarry, and external programs."""
