"""How calls in Python files are resolved."""

from __future__ import annotations

from repoquarry.languages.family import Family, PointsTo
from repoquarry.languages.python.extra_flows import extra_flows
from repoquarry.languages.python.modules import find_modules
from repoquarry.languages.python.outside.tables import PROTOCOLS, tables
from repoquarry.languages.python.rules import POSSIBLE, RULES, SHOWN

FAMILY = Family(
    name="python",
    modules=find_modules,
    method=PointsTo(
        protocols=PROTOCOLS,
        tables=tables,
        extra_flows=extra_flows,
        data_classes=frozenset({"dataclass", "define", "frozen", "mutable", "s", "attrs", "attributes"}),
        wrappers=frozenset({"wraps"}),
        plain_decorators=frozenset({"staticmethod", "classmethod", "abstractmethod", "overload"}),
        test_class_prefix="Test",
    ),
    rules=RULES,
    possible=POSSIBLE,
    shown=SHOWN,
)
