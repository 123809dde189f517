"""The world outside a repository as Python code sees it: built-ins, libraries through which values pass, frameworks."""
