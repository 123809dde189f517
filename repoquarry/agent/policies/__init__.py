"""One file per policy: how the next step of a task is chosen."""
