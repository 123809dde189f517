"""Commands that change what is indexed, and say what is."""
