"""What types, comments, conditions and places say of values."""
