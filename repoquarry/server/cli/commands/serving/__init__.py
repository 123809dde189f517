"""Commands that serve a store, and that say which version does."""
