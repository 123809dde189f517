"""The rules of the resolver, layer on layer: objects and propagation, what operations do, call sites and edges."""
