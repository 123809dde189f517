"""What lies in the data folder beside the graph: texts, git history, the writer lock, and the columns read back from the graph."""
