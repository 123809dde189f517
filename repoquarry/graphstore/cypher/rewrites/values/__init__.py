"""Values and operators for an engine that computes them otherwise."""
