"""Who may call, and what: tokens and their scopes, certificates."""
