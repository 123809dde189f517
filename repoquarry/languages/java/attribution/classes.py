"""The classes of a program: their names, members and supertypes, looked up as the language does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import msgspec

from repoquarry.languages.facts import FileFacts
from repoquarry.languages.java import tree
from repoquarry.languages.java.attribution.types import (
    BOXES,
    PRIMITIVES,
    ArrayType,
    ClassType,
    Intersection,
    OutsideType,
    Primitive,
    Type,
    TypeVariable,
    VariableType,
    Wildcard,
    substitute,
)
from repoquarry.languages.java.tree import Node

_STUBS = "/"


@dataclass(eq=False, slots=True)
class Names:
    """Types that a place gives names to: type parameters, local classes."""

    outer: Names | None
    types: dict[str, TypeVariable | ClassInfo] = field(default_factory=dict)

    def find(self, name: str) -> TypeVariable | ClassInfo | None:
        here: Names | None = self
        while here is not None:
            if name in here.types:
                return here.types[name]
            here = here.outer
        return None


@dataclass(eq=False, slots=True)
class Method:
    """A method or constructor; its types are resolved when they are first asked for (`Program.header`)."""

    cls: ClassInfo
    name: str
    flags: int
    symbol: int
    node: Node
    variables: tuple[TypeVariable, ...] = ()
    parameters: tuple[Type, ...] = ()
    result: Type = None
    names: Names | None = None
    is_read: bool = False

    def has(self, flag: int) -> bool:
        return bool(self.flags & flag)


@dataclass(eq=False, slots=True)
class Field:
    """A field or constant of an enumeration."""

    cls: ClassInfo
    name: str
    written: Node | None
    is_static: bool
    value: Node | None = None
    is_final: bool = False
    type: Type = None
    is_read: bool = False


@dataclass(eq=False, slots=True)
class ClassInfo:
    """A class of the program or of the stubs."""

    name: str
    full: str
    kind: str
    unit: int
    symbol: int
    outer: ClassInfo | None
    node: Node
    names: Names
    is_static: bool
    variables: tuple[TypeVariable, ...] = ()
    superclass: Type = None
    interfaces: tuple[Type, ...] = ()
    methods: dict[str, list[Method]] = field(default_factory=dict)
    fields: dict[str, Field] = field(default_factory=dict)
    inner: dict[str, ClassInfo] = field(default_factory=dict)
    anonymous_of: Type = None
    is_read: bool = False
    is_reading: bool = False

    @property
    def is_interface(self) -> bool:
        return self.kind in ("interface", "annotation")


class Program:
    """All classes, found by name."""

    def __init__(self, files: Sequence[FileFacts]) -> None:
        self.files = files
        self.starts: list[int] = []
        self.classes: list[ClassInfo] = []
        self._by_name: dict[str, list[ClassInfo]] = {}
        self._packages: dict[str, set[str]] = {}
        self._imports = [_Imports.of(facts) for facts in files]
        self._members: dict[tuple[ClassInfo, str], list[tuple[Method, dict[TypeVariable, Type]]]] = {}
        self._lines: dict[ClassInfo, list[tuple[ClassInfo, dict[TypeVariable, Type]]]] = {}
        self._functions: dict[ClassInfo, Method | None] = {}
        self._local: dict[int, ClassInfo] = {}
        count = 0
        for unit, facts in enumerate(files):
            self.starts.append(count)
            count += 1 + len(facts.definitions)
            for node in msgspec.msgpack.decode(facts.own) if facts.own else ():
                self.declare(node, unit, None, Names(None))
        self.object = self.named("java.lang.Object", 0)
        self.string = self.class_type("java.lang.String")

    # ---- declaring

    def declare(
        self, node: Node, unit: int, outer: ClassInfo | None, names: Names, *, is_local: bool = False
    ) -> ClassInfo:
        """A class and those in it; their headers are read later. A local class is made once, however often it is met."""
        if is_local and id(node) in self._local:
            return self._local[id(node)]
        package = self.files[unit].namespace
        around = outer.full if outer is not None else package
        full = f"{around}.{node[2]}" if around else node[2]
        own = Names(names)
        is_static = bool(node[11]) or (outer is not None and outer.is_interface)
        made = ClassInfo(node[2], full, node[1], unit, self.starts[unit] + 1 + node[0], outer, node, own, is_static)
        made.variables = variables_of(node[3], own)
        self.classes.append(made)
        if is_local:
            self._local[id(node)] = made
        else:
            self._by_name.setdefault(full, []).append(made)
            if outer is None:
                self._packages.setdefault(package, set()).add(made.name)
        for one in node[9]:
            inner = self.declare(one, unit, made, own, is_local=is_local)
            made.inner.setdefault(inner.name, inner)
        self._declare_members(made, node)
        return made

    def _declare_members(self, made: ClassInfo, node: Node) -> None:
        start = self.starts[made.unit] + 1
        for name, _, _, _ in node[10]:
            made.fields.setdefault(name, Field(made, name, [made.name, None, 0], True, is_final=True))
        for name, written, is_static, value, _, is_final in node[6]:
            made.fields.setdefault(name, Field(made, name, written, is_static, value, is_final))
        for name, written in node[13] or ():
            made.fields.setdefault(name, Field(made, name, written, False, is_final=True))
        for one in node[7]:
            method = Method(made, one[1], one[5], start + one[0], one)
            if made.is_interface and not one[5] & (tree.STATIC | tree.DEFAULT | tree.PRIVATE):
                method.flags |= tree.ABSTRACT
            made.methods.setdefault("<init>" if one[5] & tree.CONSTRUCTOR else one[1], []).append(method)
        self._declare_implied(made, node)

    def _declare_implied(self, made: ClassInfo, node: Node) -> None:
        """Members that the language adds: accessors and constructor of a record, `values` and `valueOf` of an enumeration."""
        if node[13] is not None:
            written = [[name, type_] for name, type_ in node[13]]
            if not any(len(one.node[3]) == len(written) for one in made.methods.get("<init>", ())):
                made.methods.setdefault("<init>", []).append(_implied(made, "<init>", written, None, tree.CONSTRUCTOR))
            for name, type_ in node[13]:
                if not any(not one.node[3] for one in made.methods.get(name, ())):
                    made.methods.setdefault(name, []).append(_implied(made, name, [], type_, 0))
        if made.kind == "enum":
            own = [made.name, None, 0]
            text = ["String", None, 0]
            made.methods.setdefault("values", []).append(
                _implied(made, "values", [], [made.name, None, 1], tree.STATIC)
            )
            made.methods.setdefault("valueOf", []).append(_implied(made, "valueOf", [["name", text]], own, tree.STATIC))

    # ---- names

    def class_type(self, full: str) -> Type:
        """A class by its full name as a type without arguments."""
        found = self.named(full, 0)
        return ClassType(found) if found is not None else OutsideType(full)

    def is_stub(self, cls: ClassInfo) -> bool:
        """Whether a class stands outside the repository."""
        return self.files[cls.unit].path.startswith(_STUBS)

    def named(self, full: str, unit: int) -> ClassInfo | None:
        """The class of that full name; of several, the one whose file lies nearest."""
        found = self._by_name.get(full)
        if not found:
            return None
        if len(found) == 1:
            return found[0]
        path = self.files[unit].path
        return max(found, key=lambda one: _shared(path, self.files[one.unit].path))

    def type_name(self, name: str, unit: int, cls: ClassInfo | None, names: Names | None) -> Type:
        """What a dotted name means as a type."""
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

    def _simple(self, name: str, unit: int, cls: ClassInfo | None, names: Names | None) -> Type:
        here = names
        while here is not None:  # local classes and type parameters, and between them the members of classes
            if name in here.types:
                given = here.types[name]
                return VariableType(given) if isinstance(given, TypeVariable) else ClassType(given)
            if cls is not None and here is cls.names:
                if cls.name == name:
                    return ClassType(cls)
                inner = self.member_class(cls, name)
                if inner is not None:
                    return ClassType(inner)
                cls = cls.outer
            here = here.outer
        return self.top_level(name, unit)

    def top_level(self, name: str, unit: int) -> Type:
        """A simple name by the file's imports and package, by `java.lang`."""
        imports, package = self._imports[unit], self.files[unit].namespace
        if name in imports.single:
            full = imports.single[name]
            found = self._by_full(full, unit)
            return found or OutsideType(full)
        own = self.named(f"{package}.{name}" if package else name, unit)
        if own is not None:
            return ClassType(own)
        for around in imports.stars:
            found = self._by_full(f"{around}.{name}", unit)
            if found is not None:
                return found
        lang = self.named(f"java.lang.{name}", unit)
        if lang is not None:
            return ClassType(lang)
        if name in imports.static:
            return self._by_full(imports.static[name], unit)
        return None

    def _qualified(self, name: str, unit: int) -> Type:
        found = self._by_full(name, unit)
        if found is not None:
            return found
        unknown = [around for around in self._imports[unit].stars if around not in self._packages]
        if "." not in name and len(unknown) == 1:
            return OutsideType(f"{unknown[0]}.{name}")
        return OutsideType(name)

    def _by_full(self, full: str, unit: int) -> Type:
        """A class by its full name, members of classes included."""
        found = self.named(full, unit)
        if found is not None:
            return ClassType(found)
        around, dot, last = full.rpartition(".")
        if not dot or around in self._packages:
            return None
        outer = self._by_full(around, unit)
        inner = self.member_class(outer.cls, last) if isinstance(outer, ClassType) else None
        return ClassType(inner) if inner is not None else None

    def member_class(self, cls: ClassInfo, name: str) -> ClassInfo | None:
        """A class that is a member, inherited ones included."""
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

    def type_of(self, written: Node | None, unit: int, cls: ClassInfo | None, names: Names | None) -> Type:
        """A written type. `var` is not known."""
        if written is None:
            return None
        name, arguments, dimensions = written
        if name == "?":
            return Wildcard(arguments, self.type_of(dimensions, unit, cls, names))
        if name in ("&", "|"):
            types = tuple(self.type_of(one, unit, cls, names) for one in arguments)
            return Intersection(types) if name == "&" else types[0]
        found: Type = Primitive(name) if name in PRIMITIVES else None
        if found is None and name != "var":
            found = self.type_name(name, unit, cls, names)
        if arguments and isinstance(found, ClassType):
            found = ClassType(found.cls, tuple(self.type_of(one, unit, cls, names) for one in arguments))
        for _ in range(dimensions):
            found = ArrayType(found)
        return found

    def read(self, cls: ClassInfo) -> None:
        """Reads a class's header."""
        if cls.is_read or cls.is_reading:
            return
        cls.is_reading = True
        node, names = cls.node, cls.names
        for variable, (_, bounds) in zip(cls.variables, node[3], strict=True):
            variable.bounds = tuple(self.type_of(one, cls.unit, cls, names) for one in bounds)
        # what a class inherits is not in scope where its bases are named
        cls.superclass = self.type_of(node[4], cls.unit, cls, names)
        cls.interfaces = tuple(self.type_of(one, cls.unit, cls, names) for one in node[5])
        if cls.anonymous_of is not None:
            base = cls.anonymous_of
            is_interface = isinstance(base, ClassType) and base.cls.is_interface
            cls.superclass, cls.interfaces = (None, (base,)) if is_interface else (base, ())
        if cls.superclass is None and self.object is not None and cls is not self.object:
            if cls.kind == "enum":
                enum = self.named("java.lang.Enum", 0)
                cls.superclass = ClassType(enum, (ClassType(cls),)) if enum is not None else None
            elif cls.kind == "record":
                cls.superclass = self.class_type("java.lang.Record")
            else:
                cls.superclass = ClassType(self.object)
        cls.is_reading, cls.is_read = False, True

    def header(self, method: Method) -> Method:
        """A method with its types."""
        if method.is_read:
            return method
        method.is_read = True
        cls, node = method.cls, method.node
        names = method.names = Names(cls.names)
        method.variables = variables_of(node[2], names)
        for variable, (_, bounds) in zip(method.variables, node[2], strict=True):
            variable.bounds = tuple(self.type_of(one, cls.unit, cls, names) for one in bounds)
        parameters = cls.node[13] if method.has(tree.CONSTRUCTOR) and node[3] is None else node[3]
        method.parameters = tuple(self.type_of(one[1], cls.unit, cls, names) for one in parameters or ())
        method.result = self.type_of(node[4], cls.unit, cls, names)
        return method

    def field_type(self, found: Field) -> Type:
        """The declared type of a field."""
        if not found.is_read:
            found.is_read = True
            found.type = self.type_of(found.written, found.cls.unit, found.cls, found.cls.names)
        return found.type

    def supertypes(self, cls: ClassInfo) -> Iterator[Type]:
        """The superclass, then the interfaces."""
        self.read(cls)
        if cls.superclass is not None:
            yield cls.superclass
        yield from cls.interfaces

    def line(self, cls: ClassInfo) -> list[tuple[ClassInfo, dict[TypeVariable, Type]]]:
        """A class and all above it, superclasses before interfaces, each with its type parameters as the class sees them."""
        known = self._lines.get(cls)
        if known is not None:
            return known
        out: list[tuple[ClassInfo, dict[TypeVariable, Type]]] = [(cls, {})]
        self._lines[cls] = out
        seen = {cls}
        self._climb(cls, {}, out, seen)
        return out

    def _climb(
        self,
        cls: ClassInfo,
        mapping: dict[TypeVariable, Type],
        out: list[tuple[ClassInfo, dict[TypeVariable, Type]]],
        seen: set[ClassInfo],
    ) -> None:
        for above in self.supertypes(cls):
            if not isinstance(above, ClassType) or above.cls in seen:
                continue
            seen.add(above.cls)
            own: dict[TypeVariable, Type] = {}
            if len(above.arguments) == len(above.cls.variables):
                given = [substitute(one, mapping) for one in above.arguments]
                own = dict(zip(above.cls.variables, given, strict=True))
            out.append((above.cls, own))
            self._climb(above.cls, own, out, seen)

    def outside_bases(self, cls: ClassInfo) -> list[str]:
        """Names of classes above it of which nothing else is known."""
        return [
            above.name for one, _ in self.line(cls) for above in self.supertypes(one) if isinstance(above, OutsideType)
        ]

    def as_super(self, found: ClassType, target: ClassInfo) -> ClassType | None:
        """The type as that of a class above it; None where it is no such."""
        if found.cls is target:
            return found
        for cls, mapping in self.line(found.cls):
            if cls is target:
                own = self.mapping(found)
                return ClassType(
                    cls, tuple(substitute(mapping.get(one), own) for one in cls.variables) if mapping else ()
                )
        return None

    def mapping(self, found: ClassType) -> dict[TypeVariable, Type]:
        """A type's parameters and what stands for them; those of a raw type are erased (JLS 4.8)."""
        if len(found.arguments) == len(found.cls.variables):
            return dict(zip(found.cls.variables, found.arguments, strict=True))
        return {
            one: one.bounds[0] if one.bounds else ClassType(self.object) if self.object else None
            for one in found.cls.variables
        }

    # ---- members

    def members(self, cls: ClassInfo, name: str) -> list[tuple[Method, dict[TypeVariable, Type]]]:
        """Methods of a name that a class has, inherited ones included unless they are overridden, nearest first."""
        key = cls, name
        found = self._members.get(key)
        if found is None:
            found = self._members[key] = []
            seen: set[tuple[object, ...]] = set()
            for one, mapping in self.line(cls):
                for method in one.methods.get(name, ()):
                    if name == "<init>" and one is not cls:
                        continue
                    if one.is_interface and one is not cls and method.has(tree.STATIC):
                        continue
                    signature = self.signature(method, mapping)
                    if signature not in seen:
                        seen.add(signature)
                        found.append((method, mapping))
            if cls.is_interface and name != "<init>" and self.object is not None:
                found += [(one, {}) for one in self.object.methods.get(name, ()) if self.signature(one, {}) not in seen]
        return found

    def signature(self, method: Method, mapping: dict[TypeVariable, Type]) -> tuple[object, ...]:
        """The erased types of a method's parameters."""
        return tuple(self.erasure(substitute(one, mapping)) for one in self.header(method).parameters)

    def erasure(self, found: Type) -> object:
        """What a type is without its parameters."""
        if isinstance(found, ClassType):
            return found.cls
        if isinstance(found, VariableType):
            return self.erasure(found.variable.bounds[0]) if found.variable.bounds else self.object
        if isinstance(found, ArrayType):
            return "[]", self.erasure(found.element)
        if isinstance(found, Wildcard):
            return self.erasure(found.bound)
        return found

    def field(self, cls: ClassInfo, name: str) -> tuple[Field, dict[TypeVariable, Type]] | None:
        """A field that a class has, inherited ones included."""
        for one, mapping in self.line(cls):
            if name in one.fields:
                return one.fields[name], mapping
        return None

    def function(self, cls: ClassInfo) -> Method | None:
        """The one abstract method of a functional interface; None where it is none."""
        if cls not in self._functions:
            self._functions[cls] = self._find_function(cls)
        return self._functions[cls]

    def _find_function(self, cls: ClassInfo) -> Method | None:
        if not cls.is_interface:
            return None
        found: list[Method] = []
        for name in dict.fromkeys(name for one, _ in self.line(cls) for name in one.methods):
            if self.object is not None and name in self.object.methods and name in ("equals", "hashCode", "toString"):
                continue
            found += [method for method, _ in self.members(cls, name) if method.has(tree.ABSTRACT)]
        return found[0] if len(found) == 1 else None

    def boxed(self, found: Type) -> Type:
        """The class that a primitive type is boxed into."""
        if isinstance(found, Primitive) and found.name in BOXES:
            return self.class_type(f"java.lang.{BOXES[found.name]}")
        return found

    def unboxed(self, found: Type) -> Type:
        """The primitive type that a box holds."""
        if isinstance(found, ClassType) and found.cls.full.startswith("java.lang."):
            return next((Primitive(name) for name, box in BOXES.items() if box == found.cls.name), found)
        return found


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


def variables_of(written: Sequence[Node], names: Names) -> tuple[TypeVariable, ...]:
    """Type parameters, put among the names."""
    made = tuple(TypeVariable(name) for name, _ in written)
    names.types.update({one.name: one for one in made})
    return made


def _implied(cls: ClassInfo, name: str, parameters: list[Node], result: Node | None, flags: int) -> Method:
    """A member that is written nowhere: calls of it reach its class."""
    return Method(cls, name, flags, cls.symbol, [-1, name, [], parameters, result, flags, None, cls.node[12]])


def _shared(left: str, right: str) -> int:
    """Number of folders at the beginning that two paths share."""
    count = 0
    for one, other in zip(left.split("/"), right.split("/"), strict=False):
        if one != other:
            break
        count += 1
    return count
