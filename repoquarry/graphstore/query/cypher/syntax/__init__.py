"""Tokenizer, parser, syntax tree and renderer of Cypher queries."""
