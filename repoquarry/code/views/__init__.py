"""Views of code for pages: source with callers, map of modules, review of a diff, overview of a repository."""
