"""Data model of the stored graph: schema, tables of nodes and relationships, query values, formulas of importance scores."""
