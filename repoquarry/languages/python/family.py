"""Family of Python: points-to configuration, edge rules with confidence, entry points.

`confidence` of an edge is that of its rule and of the number of targets that its call site may have; for one that dispatch adds also
that of the places that make instances. The figures are measured (`tests/benchmarks/callgraph/reliability.py`,
`tests/benchmarks/callgraph/fit_confidence.py`, docs/explanation/benchmarks.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.family import ExternalOrigin, Grounds, LanguageFamily, PointsToConfig
from repoquarry.languages.python.extra_flows import find_extra_flows
from repoquarry.languages.python.kernel_tables import FEATURES, PROTOCOLS, build_kernel_tables
from repoquarry.languages.python.module_resolution import find_modules, is_standard

#: rule -> shares of its edges that are right, at call sites with one target, two, three or four, and more
RULES: dict[str, tuple[float, float, float, float]] = {
    "name": (0.99, 0.97, 0.95, 0.9),  # a name that is bound to the definition here or by import
    "module": (0.99, 0.9, 0.7, 0.2),  # an attribute of a module
    "self": (0.99, 0.94, 0.8, 0.8),  # a method of the receiver of the enclosing method
    "super": (0.99, 0.95, 0.9, 0.9),
    "class": (0.98, 0.7, 0.5, 0.3),  # an attribute of a class
    "receiver": (
        0.98,
        0.7,
        0.5,
        0.4,
    ),  # a method of an object whose class is known from where it was made or from a declaration
    "constructor": (0.97, 0.95, 0.6, 0.1),
    "instance": (0.95, 0.8, 0.6, 0.3),  # __call__
    "value": (0.95, 0.8, 0.7, 0.5),  # a function that reached the call as a value
    "callback": (0.9, 0.6, 0.4, 0.1),  # a function given to something that calls it
    "named": (0.8, 0.7, 0.6, 0.5),  # by a name made at run time, of which the beginning is known
    "fixture": (0.95, 0.95, 0.95, 0.95),  # a fixture that pytest calls for a parameter of its name
    "partial": (0.95, 0.8, 0.6, 0.4),
    "property": (0.95, 0.85, 0.7, 0.4),
    "implicit": (0.9, 0.8, 0.7, 0.4),  # special methods: operators, iteration, context managers
    "hook": (0.95, 0.6, 0.7, 0.8),  # what a live subclass has for a method that its base calls on `self`
    "implementation": (0.95, 0.62, 0.55, 0.3),  # what a live subclass has for an abstract method of a declared receiver
    "override": (0.55, 0.55, 0.35, 0.2),  # the same where the method is not abstract
    "declared": (0.5, 0.5, 0.5, 0.5),  # a method that the source names, where mostly others run
    "abstract": (0.05, 0.05, 0.05, 0.05),  # a method that only raises NotImplementedError, where others may be meant
    "possible": (
        0.45,
        0.35,
        0.25,
        0.2,
    ),  # overrides of a method that is reached, where the receiver may be of a subclass
}


#: rule -> for what dispatch adds, and what overrides another target of its site, by number of targets: where instances of the classes that
#: have the method are made in code, by tests only, and nowhere in the repository. Printed by `tests/benchmarks/callgraph/fit_confidence.py`.
POSSIBLE: dict[str, Grounds] = {
    "hook": (
        (0.95, 0.95, 0.95),
        (0.60, 0.60, 0.60),
        (0.66, 0.65, 0.60),
        (0.79, 0.78, 0.71),
    ),
    "implementation": (
        (0.95, 0.95, 0.95),
        (0.64, 0.63, 0.63),
        (0.55, 0.55, 0.55),
        (0.30, 0.30, 0.30),
    ),
    "override": (
        (0.55, 0.55, 0.55),
        (0.50, 0.50, 0.50),
        (0.35, 0.35, 0.35),
        (0.20, 0.20, 0.20),
    ),
    "possible": (
        (0.49, 0.48, 0.49),
        (0.37, 0.38, 0.35),
        (0.19, 0.21, 0.21),
        (0.13, 0.12, 0.21),
    ),
    "self": (
        (0.99, 0.99, 0.99),
        (0.93, 0.90, 0.93),
        (0.83, 0.81, 0.80),
        (0.88, 0.87, 0.85),
    ),
    "receiver": (
        (0.98, 0.98, 0.98),
        (0.80, 0.76, 0.76),
        (0.59, 0.55, 0.55),
        (0.49, 0.49, 0.49),
    ),
}

#: rule -> how edges show that they were added by dispatch to what was seen
SHOWN = {"hook": "possible", "implementation": "possible", "override": "possible", "named": "possible"}


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
        protocols=PROTOCOLS,
        tables=build_kernel_tables,
        features=FEATURES,
        extra_flows=find_extra_flows,
        offered=offered,
        data_classes=frozenset({"dataclass", "define", "frozen", "mutable", "s", "attrs", "attributes"}),
        wrappers=frozenset({"wraps"}),
        plain_decorators=frozenset({"staticmethod", "classmethod", "abstractmethod", "overload"}),
        test_class_prefix="Test",
    ),
    rules=RULES,
    possible=POSSIBLE,
    shown=SHOWN,
    origins=external_origins,
)
