"""Texts within a budget: evidence packs, launchpad texts, and files truncated by their structure."""
