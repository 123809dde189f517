"""What every stage of an indexing run is handed: its inputs, what an earlier run left, a meter of progress and cost, and Python's memory."""
