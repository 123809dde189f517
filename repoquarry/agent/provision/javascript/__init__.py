"""Environments of JavaScript: what a repository's package.json and code need, installed with npm and checked by loading."""
