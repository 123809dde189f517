"""Where files stand, and what the names of their imports mean."""
