"""Functions: what is known of them where they stand, their parameters and their results."""
