"""Generated and damaged programs for the kernels, and the search's terms in plain Python; no part of the product."""
