"""Resolution of type names in Java source to declared classes (JLS 6), and the table of these classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from repoquarry.languages.facts import FileFacts
from repoquarry.languages.java import reduced_tree as tree
from repoquarry.languages.java.attribution.elements import (
    PRIMITIVES,
    ArrayType,
    ClassInfo,
    ClassType,
    Field,
    Intersection,
    Method,
    OutsideType,
    Primitive,
    Type,
    TypeNameScope,
    TypeVariable,
    VariableType,
    Wildcard,
    variables_of,
)
from repoquarry.languages.java.reduced_tree import WILDCARDS, ClassNode, MethodNode, Parameter, WrittenType

_STUBS = "/"
_DECODER = msgspec.msgpack.Decoder(list[ClassNode])


class ClassTable:
    """All classes; types in their headers are read later."""

    def __init__(self, files: Sequence[FileFacts]) -> None:
        self.files = files
        self.starts: list[int] = []
        """Symbol of each file."""
        self.classes: list[ClassInfo] = []
        self.packages: set[str] = set()
        """Packages of which the program has a class."""
        self._by_name: dict[str, list[ClassInfo]] = {}
        self._local: dict[int, ClassInfo] = {}
        count = 0
        for unit, facts in enumerate(files):
            self.starts.append(count)
            count += 1 + len(facts.definitions)
            for node in _DECODER.decode(facts.own) if facts.own else ():
                self.declare(node, unit, None, TypeNameScope(None))
        self.object = self.named("java.lang.Object", 0)

    def declare(
        self, node: ClassNode, unit: int, outer: ClassInfo | None, names: TypeNameScope, *, is_local: bool = False
    ) -> ClassInfo:
        """A class and those in it; their headers are read later. A local class is made once, however often it is met."""
        if is_local and id(node) in self._local:
            return self._local[id(node)]
        package = self.files[unit].namespace
        around = outer.full if outer is not None else package
        full = f"{around}.{node.name}" if around else node.name
        own = TypeNameScope(names)
        is_static = node.is_static or (outer is not None and outer.is_interface)
        symbol = self.starts[unit] + 1 + node.definition
        made = ClassInfo(node.name, full, node.kind, unit, symbol, outer, node, own, is_static)
        made.variables = variables_of(node.type_parameters, own)
        if outer is not None and made.kind == "class" and not is_local and not made.is_static:
            made.variables += outer.variables  # what is around an inner class is of certain arguments as well
        self.classes.append(made)
        if is_local:
            self._local[id(node)] = made
        else:
            self._by_name.setdefault(full, []).append(made)
            if outer is None:
                self.packages.add(package)
        for one in node.classes:
            inner = self.declare(one, unit, made, own, is_local=is_local)
            made.inner.setdefault(inner.name, inner)
        self._declare_members(made, node)
        return made

    def _declare_members(self, made: ClassInfo, node: ClassNode) -> None:
        start = self.starts[made.unit] + 1
        for constant in node.constants:
            made.fields.setdefault(
                constant.name, Field(made, constant.name, WrittenType(made.name), True, is_final=True)
            )
        for field in node.fields:
            made.fields.setdefault(
                field.name, Field(made, field.name, field.type, field.is_static, field.value, field.is_final)
            )
        for part in node.components or ():
            made.fields.setdefault(part.name, Field(made, part.name, part.type, False, is_final=True))
        for one in node.methods:
            method = Method(made, one.name, one.flags, start + one.definition, one)
            if made.is_interface and not one.flags & (tree.STATIC | tree.DEFAULT | tree.PRIVATE):
                method.flags |= tree.ABSTRACT
            made.methods.setdefault("<init>" if one.flags & tree.CONSTRUCTOR else one.name, []).append(method)
        self._declare_implied(made, node)

    def _declare_implied(self, made: ClassInfo, node: ClassNode) -> None:
        """Members that the language adds: accessors and constructor of a record, `values` and `valueOf` of an enumeration."""
        if (parts := node.components) is not None:
            if not any(len(one.node.parameters) == len(parts) for one in made.methods.get("<init>", ())):
                _add_implied(made, "<init>", parts, None, tree.CONSTRUCTOR)
            for part in parts:
                if all(one.node.parameters for one in made.methods.get(part.name, ())):
                    _add_implied(made, part.name, [], part.type, 0)
        if made.kind == "enum":
            _add_implied(made, "values", [], WrittenType(made.name, dimensions=1), tree.STATIC)
            name = Parameter("name", WrittenType("String"))
            _add_implied(made, "valueOf", [name], WrittenType(made.name), tree.STATIC)

    def is_stub(self, cls: ClassInfo) -> bool:
        """Return whether a class stands outside the repository."""
        return self.files[cls.unit].path.startswith(_STUBS)

    def named(self, full: str, unit: int) -> ClassInfo | None:
        """Return the class of that full name; of several, the one whose file lies nearest."""
        found = self._by_name.get(full)
        if not found:
            return None
        if len(found) == 1:
            return found[0]
        path = self.files[unit].path
        return max(found, key=lambda one: _shared(path, self.files[one.unit].path))


def implied_method(
    cls: ClassInfo, name: str, parameters: list[Parameter], result: WrittenType | None, flags: int
) -> Method:
    """Return a member that is written nowhere: calls of it reach its class."""
    node = MethodNode(-1, name, [], parameters, result, flags, None, cls.node.line)
    return Method(cls, name, flags, cls.symbol, node)


def _add_implied(
    cls: ClassInfo, name: str, parameters: list[Parameter], result: WrittenType | None, flags: int
) -> None:
    cls.methods.setdefault(name, []).append(implied_method(cls, name, parameters, result, flags))


def _shared(left: str, right: str) -> int:
    """Return the number of folders at the beginning that two paths share."""
    count = 0
    for one, other in zip(left.split("/"), right.split("/"), strict=False):
        if one != other:
            break
        count += 1
    return count


class JavaNameResolver:
    """Resolver of names among the declarations of a program."""

    def __init__(self, declared: ClassTable) -> None:
        self._declared = declared
        self._imports = [_Imports.of(facts) for facts in declared.files]

    # ---- names

    def class_type(self, full: str) -> Type:
        """Return a class by its full name as a type without arguments."""
        found = self._declared.named(full, 0)
        return ClassType(found) if found is not None else OutsideType(full)

    def type_name(self, name: str, unit: int, cls: ClassInfo | None, names: TypeNameScope | None) -> Type:
        """Meaning of a dotted name as a type."""
        head, _, rest = name.partition(".")
        found = self._simple(head, unit, cls, names)
        if found is None:
            return self._qualified(name, unit)
        for part in rest.split(".") if rest else ():
            if isinstance(found, OutsideType):
                found = OutsideType(f"{found.name}.{part}")
                continue
            inner = self.member_class(found.cls, part) if isinstance(found, ClassType) else None
            found = ClassType(inner) if inner is not None else None
        return found

    def _simple(self, name: str, unit: int, cls: ClassInfo | None, names: TypeNameScope | None) -> Type:
        here = names
        while here is not None:  # local classes and type parameters, and between them the members of classes
            if name in here.types:
                given = here.types[name]
                return VariableType(given) if isinstance(given, TypeVariable) else ClassType(given)
            if cls is not None and here is cls.names:
                if cls.name == name:
                    return _within(cls)
                inner = self.member_class(cls, name)
                if inner is not None:
                    return _within(inner)
                cls = cls.outer
            here = here.outer
        return self.top_level(name, unit)

    def top_level(self, name: str, unit: int) -> Type:
        """Return a simple name by the file's imports and package, by `java.lang`."""
        imports, package = self._imports[unit], self._declared.files[unit].namespace
        if name in imports.single:
            full = imports.single[name]
            found = self._by_full(full, unit)
            return found or OutsideType(full)
        if name in imports.static and (member := self._by_full(imports.static[name], unit)) is not None:
            return member
        own = self._declared.named(f"{package}.{name}" if package else name, unit)
        if own is not None:
            return ClassType(own)
        for around in (*imports.stars, *imports.static_stars):
            found = self._by_full(f"{around}.{name}", unit)
            if found is not None:
                return found
        lang = self._declared.named(f"java.lang.{name}", unit)
        if lang is not None:
            return ClassType(lang)
        return None

    def _qualified(self, name: str, unit: int) -> Type:
        found = self._by_full(name, unit)
        if found is not None:
            return found
        unknown = [around for around in self._imports[unit].stars if around not in self._declared.packages]
        if "." not in name and len(unknown) == 1:
            return OutsideType(f"{unknown[0]}.{name}")
        return OutsideType(name)

    def _by_full(self, full: str, unit: int) -> Type:
        """Return a class by its full name, members of classes included."""
        found = self._declared.named(full, unit)
        if found is not None:
            return ClassType(found)
        around, dot, last = full.rpartition(".")
        if not dot or around in self._declared.packages:
            return None
        outer = self._by_full(around, unit)
        inner = self.member_class(outer.cls, last) if isinstance(outer, ClassType) else None
        return ClassType(inner) if inner is not None else None

    def member_class(self, cls: ClassInfo, name: str) -> ClassInfo | None:
        """Return a class that is a member, inherited ones included."""
        if name in cls.inner:
            return cls.inner[name]
        if cls.is_reading:
            return None
        self.read(cls)
        for above in self.supertypes(cls):
            if isinstance(above, ClassType):
                found = self.member_class(above.cls, name)
                if found is not None:
                    return found
        return None

    def static_imports(self, name: str, unit: int) -> Iterator[Type]:
        """Classes whose static members of that name a file imports."""
        imports = self._imports[unit]
        if name in imports.static:
            around = imports.static[name].rpartition(".")[0]
            yield self._by_full(around, unit) or OutsideType(around)
        for around in imports.static_stars:
            yield self._by_full(around, unit) or OutsideType(around)

    # ---- types

    def type_of(
        self, written: WrittenType | None, unit: int, cls: ClassInfo | None, names: TypeNameScope | None
    ) -> Type:
        """A written type. `var` is not known."""
        if written is None:
            return None
        name = written.name
        own = tuple(self.type_of(one, unit, cls, names) for one in written.arguments or ())
        if name in WILDCARDS:
            return Wildcard(WILDCARDS[name], own[0] if own else None)
        if name in ("&", "|"):
            return Intersection(own) if name == "&" else own[0]
        found: Type = Primitive(name) if name in PRIMITIVES else None
        if found is None and name != "var":
            found = self.type_name(name, unit, cls, names)
        outer = tuple(self.type_of(one, unit, cls, names) for one in written.outer_arguments)
        if (own or outer) and isinstance(found, ClassType):
            found = ClassType(found.cls, (*own, *(outer or found.arguments)))
        for _ in range(written.dimensions):
            found = ArrayType(found)
        return found

    # ---- headers

    def read(self, cls: ClassInfo) -> None:
        """Read a class's header."""
        if cls.is_read or cls.is_reading:
            return
        cls.is_reading = True
        node, names = cls.node, cls.names
        for variable, parameter in zip(cls.variables, node.type_parameters, strict=False):
            variable.bounds = tuple(self.type_of(one, cls.unit, cls, names) for one in parameter.bounds)
        # what a class inherits is not in scope where its bases are named
        cls.superclass = self.type_of(node.superclass, cls.unit, cls, names)
        cls.interfaces = tuple(self.type_of(one, cls.unit, cls, names) for one in node.interfaces)
        if cls.anonymous_of is not None:
            base = cls.anonymous_of
            is_interface = isinstance(base, ClassType) and base.cls.is_interface
            cls.superclass, cls.interfaces = (None, (base,)) if is_interface else (base, ())
        if cls.superclass is None and self._declared.object is not None and cls is not self._declared.object:
            if cls.kind == "enum":
                enum = self._declared.named("java.lang.Enum", 0)
                cls.superclass = ClassType(enum, (ClassType(cls),)) if enum is not None else None
            elif cls.kind == "record":
                cls.superclass = self.class_type("java.lang.Record")
            else:
                cls.superclass = ClassType(self._declared.object)
        cls.is_reading, cls.is_read = False, True

    def header(self, method: Method) -> Method:
        """Return a method with its types."""
        if method.is_read:
            return method
        method.is_read = True
        cls, node = method.cls, method.node
        names = method.names = TypeNameScope(cls.names)
        method.variables = variables_of(node.type_parameters, names)
        for variable, parameter in zip(method.variables, node.type_parameters, strict=True):
            variable.bounds = tuple(self.type_of(one, cls.unit, cls, names) for one in parameter.bounds)
        method.parameters = tuple(self.type_of(one.type, cls.unit, cls, names) for one in node.parameters)
        method.result = self.type_of(node.result, cls.unit, cls, names)
        return method

    def field_type(self, found: Field) -> Type:
        """Return the declared type of a field."""
        if not found.is_read:
            found.is_read = True
            found.type = self.type_of(found.written, found.cls.unit, found.cls, found.cls.names)
        return found.type

    def supertypes(self, cls: ClassInfo) -> Iterator[Type]:
        """Return the superclass, then the interfaces."""
        self.read(cls)
        if cls.superclass is not None:
            yield cls.superclass
        yield from cls.interfaces


def _within(cls: ClassInfo) -> ClassType:
    """An inner class as it is named in the class around it, whose type parameters it shares."""
    count = len(cls.node.type_parameters)
    return ClassType(cls, tuple(VariableType(one) for one in cls.variables[count:]))


@dataclass(frozen=True)
class _Imports:
    """The imports of a file."""

    single: dict[str, str]
    stars: tuple[str, ...]
    static: dict[str, str]
    static_stars: tuple[str, ...]

    @classmethod
    def of(cls, facts: FileFacts) -> _Imports:
        return cls(
            {one.name: f"{one.module}.{one.name}" for one in facts.imports if one.how == "import"},
            tuple(one.module for one in facts.imports if one.how == "star"),
            {one.name: f"{one.module}.{one.name}" for one in facts.imports if one.how == "static"},
            tuple(one.module for one in facts.imports if one.how == "static star"),
        )
