"""Search and localization over indexed repositories."""
