"""Readers of manifests: one file a format. They parse; nothing of a repository is imported or run here."""
