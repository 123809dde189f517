"""Source archives whose names installers of today refuse: found in the index, fetched, and offered under a name that they accept."""
