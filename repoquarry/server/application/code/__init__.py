"""CodeService: what names mean, what is related to them, what differs, and what a change reaches."""
