"""Tools by subject: each calls a reading operation, or acts in the workspace, and formats the result."""
