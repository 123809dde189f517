"""Who may call: tokens and certificates."""
