"""Tools that show code as it stands in the stored source."""
