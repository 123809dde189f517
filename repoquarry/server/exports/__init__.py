"""A repository's graph in the formats of other tools: one format one file, all read through `Api` in pages of bounded size."""
