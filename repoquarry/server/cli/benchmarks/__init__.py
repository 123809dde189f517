"""The published benchmarks on the command line, one file each."""
