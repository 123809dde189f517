"""Provisioning of environments for repositories."""
