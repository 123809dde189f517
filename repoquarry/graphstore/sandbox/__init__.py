"""Child processes in which queries from outside run, and the form in which their rows travel."""
