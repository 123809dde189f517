"""Sandboxes for untrusted commands: isolation variants, resource limits, launch process, and network proxy."""
