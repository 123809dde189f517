"""What texts say: words and pairs of words as terms, counted by file and merged into postings."""
