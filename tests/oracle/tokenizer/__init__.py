"""The function of `repoquarry.native.tokenizer_abi` in Python: slow and plain, and no part of the product."""
