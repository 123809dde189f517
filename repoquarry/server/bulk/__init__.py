"""Many repositories at once: a list, processes of their own within a memory budget, and a record of what is done."""
