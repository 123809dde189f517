"""Graph engine that stores and queries the graph on a Neo4j server."""
