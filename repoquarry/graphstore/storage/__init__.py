"""Files of the data folder: source texts, history, locks, pending revisions."""
