"""GitTaskBench: work with repositories, graded by the benchmark's own test scripts. Source: arXiv 2508.18993 and its repository."""
