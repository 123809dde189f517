"""Launch process that confines itself and becomes the command."""
