"""Call resolution settings of JavaScript and TypeScript: points-to configuration, edge rules, tables of library types from stubs.

Names, members and results come from TypeScript stubs: files directly in the folder declare what every file sees, those below `modules` what
a package of their name has. `repoquarry/models/npm` adds what functions do with values, and entry points.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.constraints import parameter_field
from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.family import LanguageFamily, LanguageFeature, PointsToConfig, load_rules
from repoquarry.languages.javascript.extractor import extract
from repoquarry.languages.javascript.grammar import parse
from repoquarry.languages.javascript.module_map import external_origins, find_modules
from repoquarry.languages.javascript.typing import type_forms
from repoquarry.languages.model_files import compile_tables, load_models

_FUNCTIONS = frozenset(("function_signature", "method_signature", "abstract_method_signature"))
_TYPES = frozenset(("class_declaration", "interface_declaration", "internal_module", "module"))
_PLAIN = {"string": "String", "number": "Number", "boolean": "Boolean", "symbol": "Symbol", "bigint": "BigInt"}


def callbacks(source: bytes, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """(`name.<i>.<j>`, type) of the parameters of function types in a stub, where the type is one of `known`; names below their types."""
    pending = [(parse(".ts", source)[0].root_node, "")]
    while pending:
        node, within = pending.pop()
        name = node.child_by_field_name("name")
        if node.type in _FUNCTIONS and name is not None:
            yield from _of_function(node, f"{within}{_text(name)}", known)
            continue
        inner = f"{within}{_text(name)}." if node.type in _TYPES and name is not None else within
        pending.extend((child, inner) for child in node.named_children)


def _of_function(node: Node, name: str, known: Collection[str]) -> Iterator[tuple[str, str]]:
    for position, function in _parameters(node):
        if function.type != "function_type":
            continue
        for at, annotation in _parameters(function):
            found = _PLAIN.get(_text(annotation), _text(annotation))
            if found in known:
                yield f"{name}.{parameter_field(position)}.{parameter_field(at)}", found


def _parameters(node: Node) -> Iterator[tuple[int, Node]]:
    """Return (position, type) of the parameters of a function or a function type."""
    given = node.child_by_field_name("parameters")
    for position, child in enumerate(given.named_children if given is not None else ()):
        annotation = child.child_by_field_name("type")
        if annotation is not None and annotation.named_children:
            yield position, annotation.named_children[0]


def _text(node: Node | None) -> str:
    return node.text.decode() if node is not None and node.text else ""


FOLDER = Path(__file__).parent / "stubs"
_RESULT = re.compile(r"\):? ?(?P<name>[A-Za-z]\w*)(?:<[^|]*>)?(?P<array>(?:\[\])*)$")


@dataclass(slots=True)
class StubDeclarations:
    """Everything that the stubs say."""

    names: list[str] = field(default_factory=list)
    """Names that every file sees."""
    types: list[str] = field(default_factory=list)
    """Those of them that are classes, interfaces and namespaces."""
    members: dict[str, list[str]] = field(default_factory=dict)
    """Type -> names of the members of its instances, inherited ones included."""
    results: dict[str, str] = field(default_factory=dict)
    """Function, below its type or its package -> type of its result, where that is one of `types`."""
    callbacks: dict[str, str] = field(default_factory=dict)
    """Parameter of a function's parameter, `fs.readFile.<1>.<0>` -> type of `types` that it is called with."""
    of_arguments: dict[str, int] = field(default_factory=dict)
    """Attribute of a package's generic type, dotted -> position of the type argument that it is declared to be of."""


@lru_cache(1)
def load_stub_declarations() -> StubDeclarations:
    """Declarations of the stubs."""
    found = StubDeclarations()
    sources = [(path, extract(path.name, path.read_bytes())) for path in sorted(FOLDER.glob("*.d.ts"))]
    for _, facts in sources:
        found.names += facts.exports or ()
        found.types += [one.name for one in facts.definitions if one.kind == "class" and not one.parent]
    for _, facts in sources:
        found.members |= _own_members(facts)
        found.results |= dict(_own_results(facts, "", found.types))
    for path, _ in sources:
        found.callbacks |= {f"globalThis.{name}": given for name, given in callbacks(path.read_bytes(), found.types)}
    _inherit(found, [one for _, facts in sources for one in facts.definitions if one.bases])
    for path in sorted((FOLDER / "modules").glob("*.d.ts")):
        package = path.name.removesuffix(".d.ts")
        prefix = f"{package}."
        found.results |= dict(_own_results(extract(path.name, path.read_bytes()), prefix, found.types))
        found.callbacks |= {prefix + name: given for name, given in callbacks(path.read_bytes(), found.types)}
        found.of_arguments |= dict(_of_arguments(path, prefix))
        # what a package without such offers by default is itself
        found.of_arguments |= dict(_of_arguments(path, f"{package}.default."))
    return found


def _of_arguments(path: Path, prefix: str) -> Iterator[tuple[str, int]]:
    """Fields and call signatures of generic types whose type is one of their parameters."""
    for one in parse(".ts", path.read_bytes())[0].root_node.named_children:
        declared = one.child_by_field_name("declaration") or one
        while declared.type == "ambient_declaration":
            declared = declared.named_children[0]
        name, given, body = (declared.child_by_field_name(part) for part in ("name", "type_parameters", "body"))
        if name is None or given is None or body is None:
            continue
        parameters = [_text(child.child_by_field_name("name")) for child in given.named_children]
        for member in body.named_children:
            for attribute, annotation in _typed(member):
                if _text(annotation).lstrip(": ") in parameters:
                    position = parameters.index(_text(annotation).lstrip(": "))
                    yield f"{prefix}{_text(name)}.{attribute}", position


def _typed(member: Node) -> Iterator[tuple[str, Node | None]]:
    """(attribute, annotation) of the declaration of a member of a type: as a value and as a shape, or of the parameters of a call."""
    if member.type in ("public_field_definition", "property_signature"):
        name = _text(member.child_by_field_name("name"))
        yield name, member.child_by_field_name("type")
        yield f"<{name}>", member.child_by_field_name("type")
    elif member.type == "call_signature":
        given = member.child_by_field_name("parameters")
        for position, child in enumerate(given.named_children if given is not None else ()):
            yield parameter_field(position), child.child_by_field_name("type")


def _own_members(facts: FileFacts) -> dict[str, list[str]]:
    """Class -> names that its body binds."""
    out: dict[str, list[str]] = {}
    symbols = facts.graph.symbols.texts()
    for scope, name, _ in np.frombuffer(facts.graph.scopes, dtype=np.int32).reshape(-1, 3).tolist():
        text = symbols[name]
        if scope >= 0 and text.isidentifier():
            out.setdefault(facts.definitions[scope].name, []).append(text)
    return out


def _own_results(facts: FileFacts, prefix: str, types: list[str]) -> Iterator[tuple[str, str]]:
    for one in facts.definitions:
        match = _RESULT.search(one.signature) if one.kind != "class" else None
        if match is None:
            continue
        name = "Array" if match["array"] else _PLAIN.get(match["name"], match["name"])
        if name in types:
            yield f"{prefix}{one.qualname}", name


def _inherit(found: StubDeclarations, classes: list[Definition]) -> None:
    """Members of a type are those of its bases as well; a base precedes the types that inherit from it."""
    for one in classes:
        for base in one.bases:
            above = f"globalThis.{base.partition('<')[0]}."
            own = {name: given for name, given in found.callbacks.items() if name.startswith(above)}
            for name, given in own.items():
                found.callbacks.setdefault(f"globalThis.{one.name}.{name.removeprefix(above)}", given)
            inherited = found.members.get(base.partition("<")[0], [])
            found.members[one.name] = [*dict.fromkeys([*found.members.get(one.name, []), *inherited])]


TABLES = load_rules(Path(__file__).parent)
_TYPE_PROTOCOLS = {
    "type_defaults": type_forms.DEFAULTS,
    "result_type": type_forms.RESULT,
    "result_value": type_forms.GIVEN,
    "made_type": type_forms.MADE,
    "guarded_first": type_forms.predicate_field(0),
}
FEATURES = (
    LanguageFeature.SUPERCLASS_FIRST
    | LanguageFeature.RECEIVER_BY_CALL
    | LanguageFeature.OBJECT_LITERALS
    | LanguageFeature.MAPPINGS_GIVE_PAIRS
    | LanguageFeature.AWAIT_UNWRAPS
    | LanguageFeature.DEFAULT_EXPORTS
    | LanguageFeature.STATIC_TYPES
    | LanguageFeature.STRUCTURAL_TYPES
    | LanguageFeature.TYPES_REPLACE_PARAMETERS
)

#: static members of `Object`, which object literals do not have
_OBJECT_STATICS = frozenset(
    (
        *("assign", "create", "defineProperties", "defineProperty", "freeze", "fromEntries", "getOwnPropertyNames"),
        *("getPrototypeOf", "hasOwn", "is", "isFrozen", "preventExtensions", "seal", "setPrototypeOf"),
    )
)
#: types that are functions which give their own
_MAKERS = ("String", "Number", "Boolean", "Symbol", "BigInt", "RegExp", "Date")
#: the type of `[A, B]`
_TUPLE = "%Tuple"


def _below(names: Mapping[str, str]) -> list[str]:
    """Return names and their values as those of built-ins."""
    return [f"globalThis.{text}" for pair in names.items() for text in pair]


def _members() -> list[str]:
    """Pairs: type, what its objects have."""
    members = load_stub_declarations().members
    pairs = {
        (name, one) for name, own in members.items() for one in own if name != "Object" or one not in _OBJECT_STATICS
    }
    return [text for pair in sorted(pairs) for text in pair]


def _results() -> list[str]:
    """Pairs: function, type of its result."""
    found = load_stub_declarations().results | {name: name for name in _MAKERS}
    inside = {name: given for name, given in found.items() if name.partition(".")[0] in load_stub_declarations().names}
    return [
        *_below(inside),
        *(text for name, given in found.items() if name not in inside for text in (name, f"globalThis.{given}")),
    ]


@lru_cache(1)
def tables() -> dict[str, tuple[str, ...]]:
    """All tables."""
    known, own = load_stub_declarations(), compile_tables(load_models("npm"))
    of_stubs: dict[str, Iterable[str]] = {
        "elements": _below({"String": "String"}),
        "results": _results(),
        "builtins": [*known.names, *own["builtins"]],
        "builtin_types": [*(name for name in known.types if name[0].isupper()), _TUPLE],
        "builtin_attributes": _members(),
        "callback_types": [text for name, given in known.callbacks.items() for text in (name, f"globalThis.{given}")],
        "type_members": [text for name, at in known.of_arguments.items() for text in (name, str(at))],
        "untyped": (*own["untyped"], *type_forms.NAMES),
    }
    return own | {name: tuple(row) for name, row in of_stubs.items()}


FAMILY = LanguageFamily(
    name="javascript",
    modules=find_modules,
    method=PointsToConfig(
        protocols=TABLES.protocols | op.GENERIC_PROTOCOLS | _TYPE_PROTOCOLS, tables=tables, features=FEATURES
    ),
    rules=TABLES.rules,
    shown=TABLES.shown,
    origins=external_origins,
)
