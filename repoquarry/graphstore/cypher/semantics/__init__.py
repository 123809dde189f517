"""What a query means before it runs: names in sight, types, grouping; what Neo4j rejects is rejected here."""
