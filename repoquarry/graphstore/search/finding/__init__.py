"""Search over one or many repositories by words, meaning, exact text or regular expression."""
