"""What a tool shows, and what is chosen of it when it is too long: by words, sections and subtrees."""
