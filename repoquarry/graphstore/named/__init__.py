"""The named queries: every question that tools, service and command line ask, in portable Cypher."""
