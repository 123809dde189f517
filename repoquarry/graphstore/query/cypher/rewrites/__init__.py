"""Rewrites of Cypher syntax trees for dialects of engines: results stay those of Neo4j."""
