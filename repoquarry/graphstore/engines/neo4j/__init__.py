"""Engine on a Neo4j server."""
