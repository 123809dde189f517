"""Interfaces of dependencies: what packages offer, as compact tables, and what follows from them for calls of the package.

A table has names, parameters, results, generics and bases of one package, without bodies and comments. Tables come from stubs in the
repository, from other indexed repositories, from `.repoquarry/interfaces`, and from the pack in `repoquarry/interfaces`. They are compiled
to rows of models (`compilation.py`), so packages never become nodes of a graph.
"""
