"""One task from its request to its end: the loop of decisions and calls, what it remembers, what it tells."""
