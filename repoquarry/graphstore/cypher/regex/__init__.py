"""Regular expressions of Java as trees, and how long a match can take."""
