"""Reader of Python sources and stubs as interface tables."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from repoquarry.ingest.interfaces.tables import Alias, Entry, Signature, Type, Value

_LANGUAGE: Final = frozenset(
    ("builtins", "typing", "typing_extensions", "collections", "collections.abc", "contextlib", "types", "_typeshed", "asyncio", "enum", "abc")
)  # fmt: skip
"""Modules whose types are written by their last name."""
_GENERIC: Final = frozenset(("Generic", "Protocol"))
_VARIABLES: Final = frozenset(("TypeVar", "ParamSpec", "TypeVarTuple"))
_PROPERTIES: Final = frozenset(("property", "cached_property", "hybrid_property", "memoized_property", "reify"))
_KEPT: Final = frozenset(
    ("__init__", "__call__", "__get__", "__iter__", "__next__", "__getitem__", "__enter__", "__aenter__", "__await__", "__aiter__",
     "__getattr__", "__new__")
)  # fmt: skip
"""Special methods that a table keeps."""
MAX_LENGTH: Final = 200
"""Longer types are left out: they are literals or overloads that say little."""


def read_modules(
    modules: Mapping[str, tuple[str, bool]],
) -> tuple[dict[str, dict[str, Entry]], dict[str, tuple[str, ...]]]:
    """Read (text, whether it is a package) by module name; return names by module, and modules that others offer as a whole.

    A module that cannot be parsed is left out.
    """
    scopes = {
        name: scope for name, (text, is_package) in sorted(modules.items()) if (scope := _scope(name, text, is_package))
    }
    names = _Names(scopes)
    found = {name: dict(sorted(_read(scope, names).items())) for name, scope in scopes.items()}
    stars = {name: tuple(dict.fromkeys(scope.stars)) for name, scope in scopes.items() if scope.stars}
    return {name: own for name, own in found.items() if own or name in stars}, stars


@dataclass
class _Scope:
    """A module: its statements and what its names mean."""

    name: str
    body: list[ast.stmt]
    imported: dict[str, str] = field(default_factory=dict)
    """Name -> full name."""
    stars: list[str] = field(default_factory=list)
    variables: set[str] = field(default_factory=set)
    """Type variables."""
    offered: set[str] = field(default_factory=set)
    """Names in `__all__`."""
    is_package: bool = False
    defined: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class _Names:
    scopes: Mapping[str, _Scope]

    def canonical(self, full: str) -> str:
        """Follow imports of the package's own modules to the definition."""
        for _ in range(8):
            module, _, name = full.rpartition(".")
            scope = self.scopes.get(module)
            if scope is None or name in scope.defined or name in scope.variables:
                return full
            if name in scope.imported:
                full = scope.imported[name]
                continue
            below = next((one for one in scope.stars if one in self.scopes and name in self.scopes[one].defined), None)
            if below is None:
                return full
            full = f"{below}.{name}"
        return full

    def is_variable(self, full: str) -> bool:
        module, _, name = full.rpartition(".")
        return module in self.scopes and name in self.scopes[module].variables


def _scope(name: str, text: str, is_package: bool) -> _Scope | None:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    scope = _Scope(name, list(_statements(tree.body)), is_package=is_package)
    package = name if is_package else name.rpartition(".")[0]
    for one in scope.body:
        if isinstance(one, ast.Import):
            scope.imported.update(
                (alias.asname, alias.name) if alias.asname else (alias.name.partition(".")[0],) * 2
                for alias in one.names
            )
        elif isinstance(one, ast.ImportFrom):
            source = _absolute(package, one.module or "", one.level)
            for alias in one.names:
                if alias.name == "*":
                    scope.stars.append(source)
                else:
                    scope.imported[alias.asname or alias.name] = f"{source}.{alias.name}"
        elif isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            scope.defined.add(one.name)
        else:
            for target in _targets(one):
                if target == "__all__" and isinstance(listed := getattr(one, "value", None), ast.List | ast.Tuple):
                    scope.offered.update(str(item.value) for item in listed.elts if isinstance(item, ast.Constant))
                is_variable = (
                    isinstance(value := getattr(one, "value", None), ast.Call) and _last(value.func) in _VARIABLES
                )
                (scope.variables if is_variable else scope.defined).add(target)
    return scope


def _absolute(package: str, module: str, level: int) -> str:
    if not level:
        return module
    parts = package.split(".")
    base = ".".join(parts[: len(parts) - level + 1])
    return f"{base}.{module}" if module and base else base or module


def _statements(body: Iterable[ast.stmt]) -> Iterable[ast.stmt]:
    """Statements of a body, those in conditions included."""
    for one in body:
        if isinstance(one, ast.If | ast.Try | ast.With):
            yield from _statements(one.body)
            yield from _statements(getattr(one, "orelse", ()))
        else:
            yield one


def _targets(one: ast.stmt) -> list[str]:
    if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
        return [one.target.id]
    if isinstance(one, ast.Assign):
        return [target.id for target in one.targets if isinstance(target, ast.Name)]
    return []


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _read(scope: _Scope, names: _Names) -> dict[str, Entry]:
    reader = _Reader(scope, names)
    found: dict[str, Entry] = {}
    for one in scope.body:
        if isinstance(one, ast.ImportFrom):
            for alias in one.names:
                name = alias.asname or alias.name
                if not (scope.is_package or alias.asname == alias.name or name in scope.offered):
                    continue  # imported for the module's own use
                full = names.canonical(scope.imported.get(name, ""))
                if (
                    full.partition(".")[0] == scope.name.partition(".")[0]
                    and not names.is_variable(full)
                    and name != "*"
                ):
                    found.setdefault(name, Alias(full))
        elif isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            reader.add_function(found, one, None)
        elif isinstance(one, ast.ClassDef):
            found[one.name] = reader.read_class(one)
        else:
            for target in _targets(one):
                if (
                    target not in scope.variables
                    and not target.startswith("__")
                    and (value := reader.value(one)) is not None
                ):
                    found[target] = value
    return {name: entry for name, entry in found.items() if not name.startswith("__")}


@dataclass
class _Reader:
    """Reader of the declarations of one module."""

    scope: _Scope
    names: _Names

    def type(self, node: ast.expr | None) -> str:
        """Return the text of a type; empty where it says nothing."""
        text = self._type(node) if node is not None else ""
        return "" if len(text) > MAX_LENGTH or text in ("Any", "object") else text

    def _type(self, node: ast.expr) -> str:
        match node:
            case ast.Name() | ast.Attribute():
                return self._name(node)
            case ast.Constant(value=str() as text):
                try:
                    return self._type(ast.parse(text, mode="eval").body)
                except (SyntaxError, ValueError):
                    return ""
            case ast.Constant(value=None):
                return "None"
            case ast.BinOp(op=ast.BitOr()):
                return f"Union[{self._type(node.left)},{self._type(node.right)}]"
            case ast.List():
                return f"[{','.join(map(self._type, node.elts))}]"
            case ast.Subscript():
                base = self._type(node.value)
                if base in ("Literal", ""):
                    return ""
                given = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                if base == "Annotated":
                    given = given[:1]
                return f"{base}[{','.join(map(self._type, given))}]"
        return ""

    def _name(self, node: ast.expr) -> str:
        dotted = _dotted(node)
        first, _, rest = dotted.partition(".")
        if not first:
            return ""
        if first in self.scope.variables and not rest:
            return f"~{first}"
        if first in self.scope.defined:
            full = f"{self.scope.name}.{dotted}"
        elif first in self.scope.imported:
            full = self.scope.imported[first] + (f".{rest}" if rest else "")
        elif hasattr(builtins, first):
            return dotted
        else:
            star = next(
                (
                    one
                    for one in self.scope.stars
                    if one in self.names.scopes and first in self.names.scopes[one].defined
                ),
                "",
            )
            full = f"{star}.{dotted}" if star else dotted
        full = self.names.canonical(full)
        module, _, last = full.rpartition(".")
        if self.names.is_variable(full):
            return f"~{last}"
        return last if module in _LANGUAGE else full

    def value(self, one: ast.stmt) -> Value | None:
        if isinstance(one, ast.AnnAssign):
            return Value(self.type(one.annotation))
        given = getattr(one, "value", None)
        if isinstance(given, ast.Call) and isinstance(given.func, ast.Name | ast.Attribute):
            made = self._name(given.func)
            return Value(made if made.rpartition(".")[2][:1].isupper() else "")
        return Value() if given is not None else None

    def add_function(
        self,
        into: dict[str, Entry] | dict[str, Signature | Value],
        node: ast.FunctionDef | ast.AsyncFunctionDef,
        cls: str | None,
    ) -> None:
        """Add a function or method; of overloads, the results are united."""
        marks = {_last(one.func if isinstance(one, ast.Call) else one) for one in node.decorator_list}
        if marks & {"setter", "deleter"}:
            return
        how = (
            "property" if marks & _PROPERTIES else "static" if "staticmethod" in marks else "class" if "classmethod" in marks
            else "async" if isinstance(node, ast.AsyncFunctionDef) else ""
        )  # fmt: skip
        drop = 0 if cls is None or how == "static" else 1
        given = [*node.args.posonlyargs, *node.args.args]
        placed = [(one.arg, self.type(one.annotation)) for one in given][drop:]
        named = [(f"{one.arg}=", self.type(one.annotation)) for one in node.args.kwonlyargs]
        typed = [one for one in named if "~" in one[1]]
        receiver = self.type(given[0].annotation) if drop and given else ""
        result = self.type(node.returns)
        if receiver.startswith("~") and (result == receiver or f"[{receiver}]" in result):
            result = result.replace(receiver, "Self")
        made = Signature((*placed, *typed), result, how)
        known = into.get(node.name)
        if "overload" in marks and isinstance(known, Signature):
            is_of_instance = bool(placed) and placed[0][1] != "None"
            made = _united(known, made) if node.name != "__get__" else made if is_of_instance else known
        into[node.name] = made

    def read_class(self, node: ast.ClassDef) -> Type:
        members: dict[str, Signature | Value] = {}
        for one in _statements(node.body):
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                if not one.name.startswith("__") or one.name in _KEPT:
                    self.add_function(members, one, node.name)
                if one.name == "__init__":
                    self._add_stored(members, one)
            elif isinstance(one, ast.ClassDef):
                members.setdefault(one.name, Value())
            else:
                for target in _targets(one):
                    if not target.startswith("__") and (value := self.value(one)) is not None:
                        members.setdefault(target, value)
        bases = [self._type(one) for one in node.bases]
        declared = next((one for one in bases if one.partition("[")[0] in _GENERIC and "[" in one), "")
        written = declared or ",".join(bases)
        parameters = dict.fromkeys(part for part in _parameters(written))
        kept = tuple(one for one in bases if one and one.partition("[")[0] not in _GENERIC and one != "object")
        unreadable = ("?",) if any(not one for one in bases) else ()
        return Type(tuple(parameters), kept + unreadable, dict(sorted(members.items())))

    def _add_stored(self, members: dict[str, Signature | Value], node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Add the attributes that a constructor stores on the receiver."""
        if not node.args.args:
            return
        types = {one.arg: self.type(one.annotation) for one in (*node.args.args, *node.args.kwonlyargs)}
        for one in ast.walk(node):
            targets = (
                one.targets if isinstance(one, ast.Assign) else [one.target] if isinstance(one, ast.AnnAssign) else []
            )
            for target in targets:
                if isinstance(target, ast.Attribute) and _last(target.value) == node.args.args[0].arg:
                    annotation = one.annotation if isinstance(one, ast.AnnAssign) else None
                    value = getattr(one, "value", None)
                    found = self.type(annotation) or (types.get(value.id, "") if isinstance(value, ast.Name) else "")
                    members.setdefault(target.attr, Value(found))


def _parameters(text: str) -> Iterable[str]:
    """Type parameters in a text, in order."""
    for part in text.replace("[", ",").replace("]", ",").split(","):
        if part.startswith("~"):
            yield part


def _united(first: Signature, second: Signature) -> Signature:
    results = dict.fromkeys(one for one in (first.result, second.result) if one)
    result = next(iter(results), "") if len(results) < 2 else f"Union[{','.join(results)}]"
    known = dict(first.parameters)
    parameters = tuple((name, kind if "~" in kind else known_type if "~" in (known_type := known.get(name, "")) else kind)
                       for name, kind in second.parameters)  # fmt: skip
    return Signature(parameters, "" if len(result) > MAX_LENGTH else result, first.how)


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = _dotted(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return ""
