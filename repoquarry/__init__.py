"""RepoQuarry: a regular package, so that a folder of its name elsewhere on the search path adds no modules to it."""
