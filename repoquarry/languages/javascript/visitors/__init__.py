"""Visitors that turn JavaScript syntax nodes into definitions and points-to constraints, one module per kind of construct."""
