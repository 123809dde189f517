"""Where files stand, and what the specifiers of their imports mean."""
