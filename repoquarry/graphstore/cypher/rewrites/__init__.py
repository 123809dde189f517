"""Exact rewrites that dialect tables name: the same rows from constructs that an engine lacks or reads differently."""
