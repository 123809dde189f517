"""Values of the stored graph; nothing here opens a file."""
