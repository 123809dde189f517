"""Storage of indexed repositories as property graphs with source texts and search indexes; Cypher queries, search and reports on them."""
