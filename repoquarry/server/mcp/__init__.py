"""Model Context Protocol."""
