"""Call resolution by static types, as a Java compiler does it.

Every class of the program and of the stubs is found by name; bodies are traversed once, with the types of variables, fields and methods as they
are declared and those of type parameters, lambdas and method references inferred. The targets of a call besides the method that the compiler names,
by an object of a subclass or a function that is passed, is added afterwards from what is made and passed anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.languages.extraction import raise_recursion_limit
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import AttributionResult
from repoquarry.languages.java.attribution.body_attributor import BodyAttributor
from repoquarry.languages.java.attribution.class_hierarchy import JavaProgram
from repoquarry.languages.java.attribution.code_context import AttributionLog
from repoquarry.languages.java.attribution.declaration_edges import add_entry_points, add_structure
from repoquarry.languages.java.attribution.name_lookup import add_callbacks, add_possible

#: frames of Python functions: extraction lets syntax nest 400 levels deep, each of which takes some ten frames here
MAX_DEPTH = 20_000


def attribute(files: Sequence[FileFacts]) -> AttributionResult:
    """Targets of calls, bases, overriding methods and imports. Files whose paths begin with a slash are stubs."""
    with raise_recursion_limit(MAX_DEPTH):
        program, findings = JavaProgram(files), AttributionLog()
        bodies = BodyAttributor(program, findings)
        for cls in list(program.declared.classes):
            if cls.outer is None and not program.declared.is_stub(cls):
                bodies.open_class(cls, None)
        add_possible(program, findings)
        add_callbacks(findings)
        add_structure(program, findings.found)
        add_entry_points(program, findings.found)
    return findings.found
