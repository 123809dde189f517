"""Commands that read what is indexed."""
