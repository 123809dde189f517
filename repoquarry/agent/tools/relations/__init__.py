"""Tools that follow relations between definitions: calls, imports, inheritance, impact."""
