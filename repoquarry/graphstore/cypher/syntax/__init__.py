"""Text to tree and back: tokens, the parsers, the tree, and what an engine is sent."""
