"""Resolution in a subprocess."""
