"""Values of the stored graph: its schema, records, query values and score profiles; nothing here opens or reads anything."""
