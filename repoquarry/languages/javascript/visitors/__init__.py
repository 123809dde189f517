"""Visitors of syntax nodes, one module per subject."""
