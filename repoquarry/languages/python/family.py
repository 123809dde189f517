"""How calls in Python files are resolved."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import Family, PointsTo
from repoquarry.languages.python.extra_flows import extra_flows
from repoquarry.languages.python.importing.modules import find_modules
from repoquarry.languages.python.outside.tables import PROTOCOLS, tables
from repoquarry.languages.python.rules import POSSIBLE, RULES, SHOWN


def offered(facts: FileFacts) -> Sequence[str]:
    """The names that a module offers: by `__all__`, or by importing them into a package."""
    if facts.exports is not None:
        return facts.exports
    if not facts.is_package:
        return ()
    return [one.alias or one.name for one in facts.imports if one.how == "from" and one.at_module_level]


FAMILY = Family(
    name="python",
    modules=find_modules,
    method=PointsTo(
        protocols=PROTOCOLS,
        tables=tables,
        extra_flows=extra_flows,
        offered=offered,
        data_classes=frozenset({"dataclass", "define", "frozen", "mutable", "s", "attrs", "attributes"}),
        wrappers=frozenset({"wraps"}),
        plain_decorators=frozenset({"staticmethod", "classmethod", "abstractmethod", "overload"}),
        test_class_prefix="Test",
    ),
    rules=RULES,
    possible=POSSIBLE,
    shown=SHOWN,
)
