"""What is started from outside by more than what its own file says: annotations of classes above, of other annotations, of other methods.

TestNG runs every public method of a class that is annotated as a test, and of those below it; JUnit calls the methods that `@MethodSource` names;
an annotation of the repository stands for those that it is annotated with itself (Spring's and JUnit's composed annotations).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from repoquarry.languages.attributed import Attributed
from repoquarry.languages.facts import Decorator, Definition
from repoquarry.languages.java import tree
from repoquarry.languages.java.attribution.classes import Program
from repoquarry.languages.java.attribution.elements import ClassInfo, Method
from repoquarry.languages.java.frameworks import full_names, kind_of

_NAMED = frozenset(("test", "fixture"))
_CLASS_TEST = "org.testng.annotations.Test"
_METHOD_SOURCE = "org.junit.jupiter.params.provider.MethodSource"
_TEXT = re.compile(r'"([^"\n]*)"')
_DEEPEST = 8
"""Annotations of annotations that are followed."""


def add_entry_points(program: Program, found: Attributed) -> None:
    """All of it, for the classes of the program."""
    starts = _Starts(program)
    for cls in program.declared.classes:
        if not program.declared.is_stub(cls):
            found.entry_points += starts.of_class(cls)


class _Starts:
    """Looks annotations up in a program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._composed: dict[ClassInfo, str] = {}

    def of_class(self, cls: ClassInfo) -> Iterator[tuple[int, str, str]]:
        """(symbol, kind, text) of the class and its methods."""
        definition = self._definition(cls.unit, cls.symbol)
        for kind, text in self._by_composed(cls.unit, definition):
            yield cls.symbol, kind, text
        runs_all = any(self._has(one, _CLASS_TEST) for one, _ in self._program.line(cls))
        for method in (one for methods in cls.methods.values() for one in methods if one.node[0] >= 0):
            own = self._definition(cls.unit, method.symbol)
            for kind, text in self._by_composed(cls.unit, own):
                yield method.symbol, kind, text
            if runs_all and _is_run(method) and not any(self._kind(cls.unit, one) for one in own.decorators):
                yield method.symbol, "test", method.name
            for decorator in own.decorators:
                if decorator.name == "MethodSource" and _METHOD_SOURCE in self._full_names(cls.unit, decorator):
                    for source in self._sources(cls, method, decorator):
                        yield source.symbol, "fixture", source.name

    def _definition(self, unit: int, symbol: int) -> Definition:
        return self._program.declared.files[unit].definitions[symbol - self._program.declared.starts[unit] - 1]

    def _full_names(self, unit: int, decorator: Decorator) -> list[str]:
        return list(full_names(self._program.declared.files[unit], decorator.dotted))

    def _kind(self, unit: int, decorator: Decorator) -> str:
        """The kind that a framework's annotation makes by itself."""
        return next((kind for full in self._full_names(unit, decorator) if (kind := kind_of(full))), "")

    def _has(self, cls: ClassInfo, full: str) -> bool:
        if self._program.declared.is_stub(cls):
            return False
        decorators = self._definition(cls.unit, cls.symbol).decorators
        return any(full in self._full_names(cls.unit, one) for one in decorators)

    def _by_composed(self, unit: int, definition: Definition) -> Iterator[tuple[str, str]]:
        for decorator in definition.decorators:
            kind = "" if self._kind(unit, decorator) else self._kind_of_composed(unit, decorator, _DEEPEST)
            if kind:
                yield kind, definition.name if kind in _NAMED else decorator.text

    def _kind_of_composed(self, unit: int, decorator: Decorator, depth: int) -> str:
        """The kind that an annotation of the repository makes by the annotations that it stands for."""
        declared = self._program.declared
        candidates = (declared.named(full.lstrip("."), unit) for full in self._full_names(unit, decorator))
        cls = next((one for one in candidates if one is not None), None)
        if cls is None or cls.kind != "annotation" or declared.is_stub(cls) or not depth:
            return ""
        if cls not in self._composed:
            self._composed[cls] = ""  # an annotation may be annotated with itself
            above = self._definition(cls.unit, cls.symbol).decorators
            kinds = (self._kind(cls.unit, one) or self._kind_of_composed(cls.unit, one, depth - 1) for one in above)
            self._composed[cls] = next((kind for kind in kinds if kind), "")
        return self._composed[cls]

    def _sources(self, cls: ClassInfo, method: Method, decorator: Decorator) -> Iterator[Method]:
        """The methods that give a test its arguments: those that are named, else that of the test's own name."""
        for written in _TEXT.findall(decorator.arguments or "") or [method.name]:
            around, _, name = written.partition("(")[0].rpartition("#")
            owner = self._program.declared.named(around.replace("$", "."), cls.unit) if around else cls
            if owner is None:
                continue
            for one, _ in self._program.line(owner):
                own = [each for each in one.methods.get(name, ()) if each is not method and each.node[0] >= 0]
                if own and not self._program.declared.is_stub(one):
                    yield from own
                    break


def _is_run(method: Method) -> bool:
    return method.has(tree.PUBLIC) and not (
        method.has(tree.CONSTRUCTOR) or method.has(tree.STATIC) or method.has(tree.ABSTRACT)
    )
