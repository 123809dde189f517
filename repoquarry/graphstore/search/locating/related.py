"""What stands one relationship away from what a task names: its callers, and the members of its base classes.

The walk of `spread` mixes all relationships; these two say by themselves that a place is the one to change: a report names what
it calls by hand, and blames a method on the class that it inherits from its base.
"""

from __future__ import annotations

import numpy as np

from repoquarry.graphstore.search.index.places import CLASS, EDGES, Places
from repoquarry.graphstore.search.index.terms.vocabulary import Reals


def calls_named(places: Places, named: Reals) -> Reals:
    """Return for each place the most that `named` says of anything it calls."""
    found = np.zeros(len(places), dtype=np.float32)
    calls = places.edge_kind == EDGES.index("CALLS")
    np.maximum.at(found, places.edge_start[calls], named[places.edge_end[calls]])
    return found


def in_base_of_named(places: Places, named: Reals) -> Reals:
    """Return for each member of a class the most that `named` says of a class which inherits from its own."""
    of_base = np.zeros(len(places), dtype=np.float32)
    inherits = places.edge_kind == EDGES.index("INHERITS")
    np.maximum.at(of_base, places.edge_end[inherits], named[places.edge_start[inherits]])
    return _of_class_around(places, of_base)


def _of_class_around(places: Places, values: Reals) -> Reals:
    """Return for each member of a class what `values` says of the class, 0 for all else."""
    around = np.maximum(places.parent, 0)
    inside = (places.parent >= 0) & (places.label[around] == CLASS)
    return np.where(inside, values[around], 0.0).astype(np.float32)
