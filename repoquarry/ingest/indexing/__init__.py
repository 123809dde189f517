"""One indexing run: its course (`run`), the stage that resolves calls (`understanding`) and what came of it (`report`)."""
