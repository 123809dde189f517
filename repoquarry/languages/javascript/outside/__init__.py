"""What JavaScript programs find outside their repository."""
