"""Search index of one repository revision."""
