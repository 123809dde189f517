"""What `repoquarry.graphstore.words` does, in Python: slow and plain, and no part of the product."""
