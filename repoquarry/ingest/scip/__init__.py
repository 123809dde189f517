"""SCIP indexes, in which compilers and type checkers say what a name means: reader, merge with our resolution, and writer."""
