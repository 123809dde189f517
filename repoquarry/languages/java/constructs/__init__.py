"""Reads the constructs of the language: each part takes the syntax nodes of one subject."""
