"""Tools that find code: by words, by name, by constant, by query, by likeness."""
