"""Reading of a checkout: selects and hashes files, parses them in worker processes, and yields texts and parsed facts."""
