"""What a change reaches: changed lines, the definitions that they touch, what depends on these, and the tests to run."""
