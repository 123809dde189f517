"""Compilation of interface tables to rows of models: what calls and attributes of a package give, and which members its types have.

The rows are those of `languages/model_paths.py`, so the kernel needs no declarations of packages. Rows of a written model win.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from repoquarry.ingest.interfaces.tables import Alias, Entry, InterfaceTable, Signature, Type, Value, entries
from repoquarry.ingest.interfaces.types import NOTHING, TypeText, parse_type, substituted
from repoquarry.languages.model_paths import compile_path

_CHOICES: Final = frozenset(("Union", "Optional"))
_FIRST: Final = frozenset(
    ("Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "Partial", "Readonly", "NonNullable")
)
_MANY: Final = frozenset(
    ("list", "List", "Sequence", "Iterable", "Iterator", "Generator", "Collection", "set", "Set", "frozenset", "FrozenSet", "tuple", "Tuple",
     "deque", "MutableSequence", "AsyncIterator", "AsyncIterable", "AsyncGenerator", "Array", "ReadonlyArray")
)  # fmt: skip
_LATER: Final = frozenset(("Awaitable", "Coroutine", "Promise", "PromiseLike", "Future"))
_PLAIN: Final = {
    **{name: f"builtins.{name}" for name in ("str", "int", "bytes", "bool", "float", "dict")}, "Dict": "builtins.dict", "Mapping": "builtins.dict",
    "string": "globalThis.String", "number": "globalThis.Number", "boolean": "globalThis.Boolean",
}  # fmt: skip
_WITHOUT_MEMBERS: Final = frozenset(("ABC", "Protocol", "Generic", "object", "NamedTuple", "TypedDict"))
_OPERATIONS: Final = {
    "__iter__": "each", "__aiter__": "each", "__getitem__": "item", "__enter__": "enter", "__aenter__": "enter", "__await__": "await",
    "__call__": "call", "__get__": "bind",
}  # fmt: skip
_CONSTRUCTORS: Final = ("__init__", "__new__", "constructor")
_ELEMENT: Final = ("element", NOTHING)
_MAX_BASES: Final = 12
_MAX_PATHS: Final = 6


@dataclass
class CompiledInterfaces:
    """Rows of interfaces."""

    programs: dict[str, str] = field(default_factory=dict)
    """Key -> steps, without the name of the model."""
    members: list[str] = field(default_factory=list)
    """Pairs (type, member); `*` as a member says that all are listed."""
    packages: list[str] = field(default_factory=list)


@dataclass
class _Class:
    """A type with its inherited members."""

    parameters: tuple[str, ...]
    members: dict[str, Signature | Value]
    owners: dict[str, Mapping[str, TypeText]]
    """Member -> what the type parameters of its class are."""
    is_complete: bool


def compile_interfaces(tables: Sequence[InterfaceTable], words: Collection[str]) -> CompiledInterfaces:
    """Compile tables; only rows of names among `words` are made."""
    compiler = _Compiler(tables, words)
    for name, entry in compiler.entries.items():
        if not isinstance(entry, Alias) or name.rpartition(".")[2] in words:
            compiler.add(name, entry)
    compiler.out.packages = [table.package for table in tables]
    return compiler.out


@lru_cache(50_000)
def _steps(path: str) -> str:
    return " ".join(compile_path(path))


class _Compiler:
    """Compiler of the entries of all tables."""

    def __init__(self, tables: Sequence[InterfaceTable], words: Collection[str]) -> None:
        self.entries: dict[str, Entry] = {}
        for table in tables:
            for name, entry in entries(table):
                self.entries.setdefault(name, entry)
        self._words = words
        self._classes: dict[str, _Class] = {}
        self.out = CompiledInterfaces()

    def add(self, name: str, entry: Entry) -> None:
        """Add the rows of a name; an alias has those of what it stands for."""
        target, entry = self._target(name, entry)
        if isinstance(entry, Type):
            self._add_type(name, target, entry)
        elif name.rpartition(".")[2] in self._words:
            if isinstance(entry, Signature):
                self._put(name, self._call_paths(entry, {}, ""))
            elif isinstance(entry, Value):
                self._add_object(name, parse_type(entry.type))

    def _add_object(self, name: str, of: TypeText) -> None:
        """Add what the methods of a constant object give."""
        target, entry = self._target(of.name, self.entries.get(of.name, Value()))
        found = self._flattened(target, entry) if isinstance(entry, Type) else None
        for member, declared in found.members.items() if found is not None else ():
            if member in self._words and isinstance(declared, Signature) and declared.how != "property":
                given = {**found.owners[member], "Self": of} if found is not None else {}
                self._put(f"{name}.{member}", self._call_paths(declared, given))

    def _target(self, name: str, entry: Entry) -> tuple[str, Entry]:
        for _ in range(_MAX_BASES):
            if not isinstance(entry, Alias):
                break
            name, entry = entry.target, self.entries.get(entry.target, Value())
        return name, entry

    def _put(self, key: str, paths: Sequence[str]) -> None:
        if paths and key not in self.out.programs:
            self.out.programs[key] = " ".join(f"{_steps(path)} give" for path in paths)

    def _add_type(self, name: str, target: str, entry: Type) -> None:
        found = self._flattened(target, entry)
        self.out.programs.setdefault(f"{name}@type", "")
        if found.is_complete:
            self.out.members += (name, "*")
        for member, declared in found.members.items():
            if member in self._words and not member.startswith("__"):
                self.out.members += (name, member)
                self._add_member(name, member, declared, found)
        for member, operation in _OPERATIONS.items():
            special = found.members.get(member)
            if isinstance(special, Signature):
                self._add_operation(f"{name}@{operation}", operation, member, special, found)
        if found.parameters:
            self._add_construction(name, found)

    def _add_member(self, name: str, member: str, declared: Signature | Value, cls: _Class) -> None:
        given = cls.owners[member]
        if isinstance(declared, Value) or declared.how == "property":
            result = substituted(parse_type(declared.type if isinstance(declared, Value) else declared.result), given)
            paths = _Paths(self, _of_class(cls), None).values(result)
            self._put(f"{name}@read.{member}", paths)
            if result.name == "ClassVar" or any(one.name == "Self" for one in _walk(result)):
                self._put(f"{name}@class.{member}", paths)
        else:
            self._put(f"{name}.{member}", self._call_paths(declared, given, *cls.parameters[:1]))

    def _add_operation(self, key: str, operation: str, member: str, declared: Signature, cls: _Class) -> None:
        result = substituted(parse_type(declared.result), cls.owners[member])
        if operation == "each":
            result = result.arguments[0] if result.name in _MANY and result.arguments else NOTHING
        if operation == "await":
            result = result.arguments[-1] if result.name == "Generator" and result.arguments else NOTHING
        if operation in ("call", "bind") and declared.how == "async":
            return
        self._put(key, _Paths(self, _of_class(cls), "bound" if operation == "bind" else None).values(result))

    def _add_construction(self, name: str, found: _Class) -> None:
        """Add what a constructor tells of the first type parameter."""
        parameter = found.parameters[0]
        for constructor in _CONSTRUCTORS:
            declared = found.members.get(constructor)
            if not isinstance(declared, Signature):
                continue
            bound = _bindings(declared, found.owners[constructor])
            if parameter in bound and (held := _Paths(self, bound, None).classes(TypeText(parameter))):
                self._put(name, [*(f"of({name}, {one})" for one in held), f"new({name})"])
                return

    def _call_paths(self, declared: Signature, given: Mapping[str, TypeText], parameter: str = "") -> list[str]:
        bound = _bindings(declared, given) | ({parameter: _ELEMENT} if parameter else {})
        paths = _Paths(self, bound, declared.how).values(substituted(parse_type(declared.result), given))
        if declared.how == "async":
            return [f"promise({one})" for one in paths]
        takes_function = declared.parameters and parse_type(declared.parameters[0][1]).name == "Callable"
        return (
            [*paths, "argument[0]"] if paths and takes_function and "argument[0" not in paths[0] else paths
        )  # may decorate

    def _flattened(self, name: str, entry: Type, depth: int = 0) -> _Class:
        """Return a type with the members of its bases."""
        if name in self._classes:
            return self._classes[name]
        own: dict[str, TypeText] = {}
        found = _Class(entry.parameters, dict(entry.members), dict.fromkeys(entry.members, own), is_complete=True)
        self._classes[name] = found
        for text in entry.bases:
            base = parse_type(text)
            target, inherited = self._target(base.name, self.entries.get(base.name, Value()))
            if not isinstance(inherited, Type) or depth > _MAX_BASES:
                found.is_complete = found.is_complete and base.name in _WITHOUT_MEMBERS
                continue
            above = self._flattened(target, inherited, depth + 1)
            found.is_complete = found.is_complete and above.is_complete
            given = dict(zip(above.parameters, base.arguments, strict=False))
            for member, declared in above.members.items():
                if member not in found.members:
                    found.members[member] = declared
                    inner = above.owners[member]
                    found.owners[member] = {**given, **{key: substituted(value, given) for key, value in inner.items()}}
        if "__getattr__" in found.members:
            found.is_complete = False
        return found

    def known(self, name: str) -> str:
        """Return the name under which a type is described."""
        target, entry = self._target(name, self.entries.get(name, Value()))
        return target if isinstance(entry, Type) else name

    def alternative(self, name: str) -> str:
        """Return the type that a name of a type stands for; empty if it is none."""
        _, entry = self._target(name, self.entries.get(name, Type()))
        return entry.type if isinstance(entry, Value) else ""


@dataclass(frozen=True)
class _Paths:
    """Writer of the paths of types at a call or attribute."""

    compiler: _Compiler
    bound: Mapping[str, tuple[str, TypeText]]
    """Type parameter -> path and type of the argument that tells it."""
    how: str | None

    def values(self, of: TypeText, depth: int = 0) -> list[str]:
        """Return the paths of values of a type."""
        if depth > 5 or not of.name:
            return []
        name, arguments = of.name, of.arguments
        if of.is_parameter:
            return self._of_parameter(of, is_class=False)
        if name in _CHOICES or name in _FIRST:
            if any(one.name == "Callable" for one in arguments):
                return []  # a decorator with or without arguments
            chosen = arguments if name in _CHOICES else arguments[:1]
            return [path for one in chosen for path in self.values(one, depth + 1)][:_MAX_PATHS]
        if name in _MANY or name in _LATER:
            return self._of_container(name, arguments, depth)
        if name in ("type", "Type"):
            return self.classes(arguments[0]) if arguments else []
        if name in ("Self", "this"):
            return ["instance(receiver)" if self.how == "class" else "value" if self.how == "bound" else "receiver"]
        return self._of_name(of, depth) if "." in name else [f"new({_PLAIN[name]})"] if name in _PLAIN else []

    def _of_container(self, name: str, arguments: Sequence[TypeText], depth: int) -> list[str]:
        if name in _LATER:
            return [f"promise({path})" for path in self.values(arguments[-1], depth + 1)] if arguments else []
        many = arguments if name in ("tuple", "Tuple") else arguments[:1]
        return [f"list({path})" for one in many for path in self.values(one, depth + 1)][:_MAX_PATHS]

    def _of_name(self, of: TypeText, depth: int) -> list[str]:
        if other := self.compiler.alternative(of.name):
            return self.values(parse_type(other), depth + 1)
        name = self.compiler.known(of.name)
        held = self.classes(of.arguments[0], depth + 1) if of.arguments else []
        return [f"of({name}, {one})" for one in held] or [f"new({name})"]

    def classes(self, of: TypeText, depth: int = 0) -> list[str]:
        """Return the paths of the class of a type."""
        if depth > 5:
            return []
        if of.is_parameter:
            return self._of_parameter(of, is_class=True)
        if of.name in ("Self", "this"):
            return ["receiver" if self.how == "class" else "class(receiver)"]
        if of.name in _CHOICES or of.name in _FIRST:
            return [path for one in of.arguments for path in self.classes(one, depth + 1)][:_MAX_PATHS]
        if of.name in _PLAIN:
            return [f"external({_PLAIN[of.name]})"]
        return [f"external({self.compiler.known(of.name)})"] if "." in of.name else []

    def _of_parameter(self, of: TypeText, *, is_class: bool) -> list[str]:
        if of.name not in self.bound:
            return []
        path, kind = self.bound[of.name]
        if path == "element":
            return ["element" if is_class else "instance(element)"]
        value, cls = _read_argument(path, kind, of)
        if is_class:
            return [cls] if cls else [f"class({value})"]
        return [value] if value else [f"instance({cls})"]


def _of_class(cls: _Class) -> dict[str, tuple[str, TypeText]]:
    """Return that an object holds the first type parameter of its class."""
    return {cls.parameters[0]: _ELEMENT} if cls.parameters else {}


def _read_argument(path: str, kind: TypeText, wanted: TypeText) -> tuple[str, str]:
    """Return the paths of a value and of a class that an argument tells of a type parameter; one of them is empty."""
    if kind == wanted:
        return path, ""
    if kind.name in _CHOICES or kind.name in _FIRST:
        inner = next((one for one in kind.arguments if wanted in _walk(one)), NOTHING)
        return _read_argument(path, inner, wanted)
    if kind.name in ("type", "Type"):
        return "", path
    if kind.name == "Callable" and kind.arguments:
        return _read_argument(f"{path}()", kind.arguments[-1], wanted)
    if kind.name in _LATER and kind.arguments:
        return _read_argument(f"awaited({path})", kind.arguments[-1], wanted)
    if kind.name in _MANY and kind.arguments:
        return _read_argument(f"each({path})", kind.arguments[0], wanted)
    return "", f"held({path})"


def _bindings(declared: Signature, given: Mapping[str, TypeText]) -> dict[str, tuple[str, TypeText]]:
    """Return what tells each type parameter: an argument, or the object of the method."""
    found: dict[str, tuple[str, TypeText]] = {}
    for position, (written, text) in enumerate(declared.parameters):
        if "~" not in text:
            continue
        name = written.removesuffix("=").lstrip("*")
        path = (
            f"argument[{name}]"
            if written.endswith("=")
            else f"argument[{position}, {name}]"
            if name
            else f"argument[{position}]"
        )
        kind = substituted(parse_type(text), given)
        for one in _walk(kind):
            if one.is_parameter:
                found.setdefault(one.name, (path, kind))
    return found


def _walk(of: TypeText) -> Iterator[TypeText]:
    yield of
    for one in of.arguments:
        yield from _walk(one)
