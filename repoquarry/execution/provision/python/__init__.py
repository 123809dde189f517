"""Provisioning of Python repositories with uv: install plan, interpreter, attempts, import checks, and repairs."""
