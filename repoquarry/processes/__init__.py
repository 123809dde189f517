"""Child processes: our own worker modules and programs of others."""
