"""Child processes: our own modules that speak in frames, and programs of others; started, waited for under a deadline, ended with certainty."""
