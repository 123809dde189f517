"""Bases, overriding methods, imports, and types that declarations mention."""

from __future__ import annotations

from collections.abc import Iterator

from repoquarry.languages.attributed import Attributed, Target
from repoquarry.languages.java import tree
from repoquarry.languages.java.attribution.classes import Program
from repoquarry.languages.java.attribution.elements import (
    ArrayType,
    ClassInfo,
    ClassType,
    Intersection,
    Method,
    OutsideType,
    Type,
    VariableType,
    Wildcard,
)
from repoquarry.languages.java.frameworks import TEST_CASES, full_names


def add_structure(program: Program, found: Attributed) -> None:
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
            line = next((one[4] for one in cls.node[6] if one[0] == field.name), 0)
            found.references += [
                (cls.symbol, target, line, "annotation")
                for target in _targets(program.naming.field_type(field))
                if line and target != cls.symbol
            ]
    _imports(program, found)


def _is_implied(program: Program, above: Type) -> bool:
    return isinstance(above, ClassType) and above.cls is program.object


def _target(above: Type) -> Iterator[Target]:
    if isinstance(above, ClassType):
        yield above.cls.symbol
    elif isinstance(above, OutsideType) and above.name:
        yield above.name


def _is_test_case(program: Program, cls: ClassInfo) -> bool:
    """Whether JUnit 3 makes instances of a class, itself a part of the program or not."""
    for one, _ in program.line(cls):
        if one.full in TEST_CASES:
            return True
        outside = (above.name for above in program.naming.supertypes(one) if isinstance(above, OutsideType))
        if any(full in TEST_CASES for name in outside for full in full_names(program.declared.files[one.unit], name)):
            return True
    return False


def _overridden(program: Program, cls: ClassInfo, method: Method, found: Attributed) -> None:
    """The nearest method above that one overrides."""
    if method.has(tree.STATIC) or method.has(tree.CONSTRUCTOR) or method.has(tree.PRIVATE) or method.node[0] < 0:
        return
    signature = program.signature(method, {})
    for above, mapping in program.line(cls)[1:]:
        for one in above.methods.get(method.name, ()):
            if not one.has(tree.STATIC) and not one.has(tree.PRIVATE) and program.signature(one, mapping) == signature:
                found.overrides.append((method.symbol, one.symbol))
                return


def _mentions(program: Program, method: Method, found: Attributed) -> None:
    if method.node[0] < 0:
        return
    program.naming.header(method)
    line = method.node[7]
    for type_ in (*method.parameters, method.result):
        found.references += [(method.symbol, target, line, "annotation") for target in _targets(type_)]


def _targets(type_: Type) -> Iterator[Target]:
    """Classes that a type names."""
    if isinstance(type_, ClassType):
        yield type_.cls.symbol
        for one in type_.arguments:
            yield from _targets(one)
    elif isinstance(type_, ArrayType):
        yield from _targets(type_.element)
    elif isinstance(type_, Wildcard):
        yield from _targets(type_.bound)
    elif isinstance(type_, Intersection):
        for one in type_.types:
            yield from _targets(one)
    elif isinstance(type_, OutsideType | VariableType):
        return


def _imports(program: Program, found: Attributed) -> None:
    """What the imports of each file name: the file of the class, or something outside."""
    for unit, facts in enumerate(program.declared.files):
        if facts.path.startswith("/"):
            continue
        for one in facts.imports:
            full = one.module if one.how in ("static", "static star", "star") else f"{one.module}.{one.name}"
            how = {"static": "from", "static star": "star", "import": "import"}.get(one.how, "star")
            name = one.name if one.how != "import" else ""
            cls = program.declared.named(full, unit)
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
                    )
                )
            elif cls.unit != unit and not program.declared.is_stub(cls):
                found.imports.append(
                    (program.declared.starts[unit], program.declared.starts[cls.unit], name, one.line, how)
                )
            elif cls.unit != unit:
                found.imports.append((program.declared.starts[unit], cls.full, name, one.line, how))
