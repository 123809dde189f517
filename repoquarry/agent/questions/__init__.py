"""The kinds of question that the policy without a model answers, one file each."""
