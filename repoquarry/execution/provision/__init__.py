"""Provisioning: installs a repository's dependencies into an environment with uv or npm, and repairs failures."""
