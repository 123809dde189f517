"""Attempts at a plan: the packages of a lock, the workspace's own layer on them, and what repairs may look up meanwhile."""
