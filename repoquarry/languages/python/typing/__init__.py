"""What annotations and conditions say of values."""
