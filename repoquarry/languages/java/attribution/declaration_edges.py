"""Graph edges from Java declarations: bases, overridden methods, imports, declared types; entry points by annotations.

TestNG runs every public method of a class that is annotated as a test, and of its subclasses; JUnit calls the methods that
`@MethodSource` names; an annotation of the repository represents its own annotations (composed annotations of Spring and JUnit).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from repoquarry.languages.facts import Decorator, Definition, Import
from repoquarry.languages.family import AttributionResult, Target
from repoquarry.languages.java import NAMED_KINDS, TEST_CASES, annotation_kind, full_names
from repoquarry.languages.java import reduced_tree as tree
from repoquarry.languages.java.attribution.class_hierarchy import JavaProgram
from repoquarry.languages.java.attribution.elements import (
    ClassInfo,
    ClassType,
    Method,
    OutsideType,
    Type,
    parts_of,
)


def add_structure(program: JavaProgram, found: AttributionResult) -> None:
    """All of it, for the files of the program."""
    own = [cls for cls in program.declared.classes if not program.declared.is_stub(cls)]
    for cls in own:
        written = [above for above in program.naming.supertypes(cls) if not _is_implied(program, above)]
        found.inherits += [
            (cls.symbol, target, position) for position, above in enumerate(written) for target in _target(above)
        ]
        if _is_test_case(program, cls):
            found.test_classes.add(cls.symbol)
        for methods in cls.methods.values():
            for method in methods:
                _overridden(program, cls, method, found)
                _mentions(program, method, found)
        for field in cls.fields.values():
            line = next((one.line for one in cls.node.fields if one.name == field.name), 0)
            found.references += [
                (cls.symbol, target, line, "annotation")
                for target in _targets(program.naming.field_type(field))
                if line and target != cls.symbol
            ]
    _imports(program, found)


def _is_implied(program: JavaProgram, above: Type) -> bool:
    return isinstance(above, ClassType) and above.cls is program.object


def _target(above: Type) -> Iterator[Target]:
    if isinstance(above, ClassType):
        yield above.cls.symbol
    elif isinstance(above, OutsideType) and above.name:
        yield above.name


def _is_test_case(program: JavaProgram, cls: ClassInfo) -> bool:
    """Return whether JUnit 3 makes instances of a class, itself a part of the program or not."""
    for one, _ in program.line(cls):
        if one.full in TEST_CASES:
            return True
        outside = (above.name for above in program.naming.supertypes(one) if isinstance(above, OutsideType))
        if any(full in TEST_CASES for name in outside for full in full_names(program.declared.files[one.unit], name)):
            return True
    return False


def _overridden(program: JavaProgram, cls: ClassInfo, method: Method, found: AttributionResult) -> None:
    """Find the nearest inherited method that a method overrides."""
    if (
        method.has(tree.STATIC)
        or method.has(tree.CONSTRUCTOR)
        or method.has(tree.PRIVATE)
        or method.node.definition < 0
    ):
        return
    signature = program.signature(method, {})
    for above, mapping in program.line(cls)[1:]:
        for one in above.methods.get(method.name, ()):
            if not one.has(tree.STATIC) and not one.has(tree.PRIVATE) and program.signature(one, mapping) == signature:
                found.overrides.append((method.symbol, one.symbol))
                return


def _mentions(program: JavaProgram, method: Method, found: AttributionResult) -> None:
    if method.node.definition < 0:
        return
    program.naming.header(method)
    line = method.node.line
    for type_ in (*method.parameters, method.result):
        found.references += [(method.symbol, target, line, "annotation") for target in _targets(type_)]


def _targets(type_: Type) -> Iterator[Target]:
    """Classes that a type names."""
    if isinstance(type_, ClassType):
        yield type_.cls.symbol
    for one in parts_of(type_):
        yield from _targets(one)


def _imports(program: JavaProgram, found: AttributionResult) -> None:
    """Targets of the imports of each file: the file of the class, or something outside."""
    for unit, facts in enumerate(program.declared.files):
        if facts.path.startswith("/"):
            continue
        for one in facts.imports:
            full = one.module if one.how in ("static", "static star", "star") else f"{one.module}.{one.name}"
            how = {"static": "from", "static star": "star", "import": "import"}.get(one.how, "star")
            name = one.name if one.how != "import" else ""
            cls = program.declared.named(full, unit)
            for owner, field in _imported(program, cls, one) if cls is not None else ():
                found.uses.append((program.declared.starts[unit], owner, field, one.line, "import", "name"))
            while cls is None and "." in full and full.rpartition(".")[2][:1].isupper():
                full = full.rpartition(".")[0]
                cls = program.declared.named(full, unit)
            if cls is None:
                found.imports.append(
                    (
                        program.declared.starts[unit],
                        one.module if one.how == "star" else f"{one.module}.{one.name}".removesuffix(".*"),
                        name,
                        one.line,
                        how,
                        False,
                    )
                )
            elif cls.unit != unit and not program.declared.is_stub(cls):
                found.imports.append(
                    (program.declared.starts[unit], program.declared.starts[cls.unit], name, one.line, how, False)
                )
            elif cls.unit != unit:
                found.imports.append((program.declared.starts[unit], cls.full, name, one.line, how, False))


def _imported(program: JavaProgram, cls: ClassInfo, one: Import) -> Iterator[tuple[int, str]]:
    """Yield the classes, methods and fields (class and name) of the program that an import names."""
    if one.how == "import":
        yield cls.symbol, ""
    if one.how == "static":
        if (member := program.field(cls, one.name)) is not None:
            yield member[0].cls.symbol, one.name
        for method in cls.methods.get(one.name, ()):
            yield method.symbol, ""


_CLASS_TEST = "org.testng.annotations.Test"
_METHOD_SOURCE = "org.junit.jupiter.params.provider.MethodSource"
_TEXT = re.compile(r'"([^"\n]*)"')
_MAX_ANNOTATION_DEPTH = 8
"""Annotations of annotations that are followed."""


def add_entry_points(program: JavaProgram, found: AttributionResult) -> None:
    """All of it, for the classes of the program."""
    starts = _AnnotationLookup(program)
    for cls in program.declared.classes:
        if not program.declared.is_stub(cls):
            found.entry_points += starts.of_class(cls)


class _AnnotationLookup:
    """Looks annotations up in a program."""

    def __init__(self, program: JavaProgram) -> None:
        self._program = program
        self._composed: dict[ClassInfo, str] = {}

    def of_class(self, cls: ClassInfo) -> Iterator[tuple[int, str, str]]:
        """Return (symbol, kind, text) of the class and its methods."""
        definition = self._definition(cls.unit, cls.symbol)
        for kind, text in self._by_composed(cls.unit, definition):
            yield cls.symbol, kind, text
        runs_all = any(self._has(one, _CLASS_TEST) for one, _ in self._program.line(cls))
        for method in (one for methods in cls.methods.values() for one in methods if one.node.definition >= 0):
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
        """Return the kind that a framework's annotation makes by itself."""
        return annotation_kind(self._program.declared.files[unit], decorator)

    def _has(self, cls: ClassInfo, full: str) -> bool:
        if self._program.declared.is_stub(cls):
            return False
        decorators = self._definition(cls.unit, cls.symbol).decorators
        return any(full in self._full_names(cls.unit, one) for one in decorators)

    def _by_composed(self, unit: int, definition: Definition) -> Iterator[tuple[str, str]]:
        for decorator in definition.decorators:
            kind = "" if self._kind(unit, decorator) else self._kind_of_composed(unit, decorator, _MAX_ANNOTATION_DEPTH)
            if kind:
                yield kind, definition.name if kind in NAMED_KINDS else decorator.text

    def _kind_of_composed(self, unit: int, decorator: Decorator, depth: int) -> str:
        """Return the kind that an annotation of the repository makes by the annotations that it stands for."""
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
        """Return the methods that give a test its arguments: the named ones, otherwise the one with the test's own name."""
        for written in _TEXT.findall(decorator.arguments or "") or [method.name]:
            around, _, name = written.partition("(")[0].rpartition("#")
            owner = self._program.declared.named(around.replace("$", "."), cls.unit) if around else cls
            if owner is None:
                continue
            for one, _ in self._program.line(owner):
                own = [each for each in one.methods.get(name, ()) if each is not method and each.node.definition >= 0]
                if own and not self._program.declared.is_stub(one):
                    yield from own
                    break


def _is_run(method: Method) -> bool:
    return method.has(tree.PUBLIC) and not (
        method.has(tree.CONSTRUCTOR) or method.has(tree.STATIC) or method.has(tree.ABSTRACT)
    )
