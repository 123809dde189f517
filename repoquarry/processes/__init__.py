"""Child processes that speak in frames: started, asked under a deadline, ended with certainty."""
