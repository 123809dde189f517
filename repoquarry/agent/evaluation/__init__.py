"""The benchmarks of the field, run on our own answers."""
