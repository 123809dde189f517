"""Importance of modules and classes, and which files hold tests."""
