"""When what is written is refused for the embedded engine: conditions by subject, for the table in `kglite_refusals.py`."""
