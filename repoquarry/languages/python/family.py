"""Family of Python: points-to configuration, edge rules with confidence, entry points.

`confidence` of an edge is that of its rule and of the number of targets that its call site may have; for one that dispatch adds also
that of the places that make instances. The figures are measured (`tests/benchmarks/callgraph/reliability.py`,
`tests/benchmarks/callgraph/fit_confidence.py`, docs/explanation/benchmarks.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.family import ExternalOrigin, LanguageFamily, PointsToConfig, load_rules
from repoquarry.languages.python.extra_flows import find_extra_flows
from repoquarry.languages.python.kernel_tables import FEATURES, build_kernel_tables
from repoquarry.languages.python.module_resolution import find_modules, is_standard

TABLES = load_rules(Path(__file__).parent)


def entry_points(facts: FileFacts, definition: Definition, in_test_class: bool, /) -> Iterator[tuple[str, str]]:
    """As `repoquarry.languages.family.EntryPoints`."""
    if definition.name.startswith("pytest_") and facts.module_name == "conftest" and not definition.parent:
        yield "hook", definition.name
    if definition.name.startswith("test") and definition.kind in ("function", "method"):
        file = facts.path.rpartition("/")[2]
        in_test_file = not definition.parent and (file.startswith("test") or file.endswith("_test.py"))
        if in_test_class if definition.kind == "method" else in_test_file:
            yield "test", definition.name


def offered(facts: FileFacts) -> Sequence[str]:
    """Return the names that a module offers: by `__all__`, or by importing them into a package."""
    if facts.exports is not None:
        return facts.exports
    if not facts.is_package:
        return ()
    return [one.alias or one.name for one in facts.imports if one.how == "from" and one.at_module_level]


def external_origins(_files: Sequence[FileFacts], externals: Sequence[str]) -> list[ExternalOrigin]:
    """As `repoquarry.languages.family.FindOrigins`: the package is the top-level name."""
    tops = [name.split(".", 1)[0] for name in externals]
    return [ExternalOrigin(top, top == "builtins" or is_standard(top)) for top in tops]


FAMILY = LanguageFamily(
    name="python",
    modules=find_modules,
    method=PointsToConfig(
        protocols=TABLES.protocols | op.GENERIC_PROTOCOLS,
        tables=build_kernel_tables,
        features=FEATURES,
        extra_flows=find_extra_flows,
        offered=offered,
        data_classes=frozenset({"dataclass", "define", "frozen", "mutable", "s", "attrs", "attributes"}),
        wrappers=frozenset({"wraps"}),
        plain_decorators=frozenset({"staticmethod", "classmethod", "abstractmethod", "overload"}),
        test_class_prefix="Test",
    ),
    rules=TABLES.rules,
    possible=TABLES.possible,
    shown=TABLES.shown,
    origins=external_origins,
)
