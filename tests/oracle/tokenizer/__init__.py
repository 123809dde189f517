"""What `repoquarry.native.tokenizer_abi` does, in Python: slow and plain, and no part of the product."""
