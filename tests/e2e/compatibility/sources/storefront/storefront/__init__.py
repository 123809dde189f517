"""Orders over a web page."""
