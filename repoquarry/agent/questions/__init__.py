"""Questions that the policy without a model answers: how one is read, asked step by step and put into words."""
