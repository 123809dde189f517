"""Warnings on parts of a query that can match nothing by the graph schema, such as unknown labels; validation of parameter values.

Parameters of an untrusted query come from any program: half of a surrogate pair, an integer beyond 64 bits or a hundred nested lists
would otherwise fail after the gate, differently on each engine.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.model import schema
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.semantics import types
from repoquarry.graphstore.query.cypher.semantics.scope import Analysis
from repoquarry.graphstore.query.cypher.semantics.types import Type
from repoquarry.graphstore.query.cypher.syntax import ast
from repoquarry.graphstore.query.cypher.syntax.tokenizer import position
from repoquarry.graphstore.query.cypher.syntax.visitor import iterate_nodes, label_names, plain_names

_KINDS = {
    schema.PropertyKind.STRING: types.of(types.STRING),
    schema.PropertyKind.INTEGER: types.of(types.INTEGER),
    schema.PropertyKind.FLOAT: types.of(types.FLOAT),
    schema.PropertyKind.BOOLEAN: types.of(types.BOOLEAN),
    schema.PropertyKind.STRINGS: types.list_of(types.of(types.STRING)),
    schema.PropertyKind.INTEGERS: types.list_of(types.of(types.INTEGER)),
}


def _by_name(kinds: Iterable[schema.NodeLabel | schema.RelationshipType]) -> dict[str, Type]:
    found: dict[str, Type] = {}
    for kind in kinds:
        for prop in kind.properties:
            known = found.get(prop.name)
            found[prop.name] = types.union(known, _KINDS[prop.kind]) if known else _KINDS[prop.kind]
    return found


_NODE_PROPERTIES = _by_name(schema.NODE_LABELS.values())
_RELATIONSHIP_PROPERTIES = _by_name(schema.RELATIONSHIP_TYPES.values())


def schema_types(subject: Type, key: str) -> Type:
    """Return the type of a property by the schema; any type if the subject may be a map or the schema lacks the name."""
    possible = []
    if types.NODE in subject.kinds:
        possible.append(_NODE_PROPERTIES.get(key, types.ANY))
    if types.RELATIONSHIP in subject.kinds:
        possible.append(_RELATIONSHIP_PROPERTIES.get(key, types.ANY))
    if subject.kinds - {types.NODE, types.RELATIONSHIP} or not possible:
        return types.ANY
    return types.union(*possible)


def warnings(query: ast.Query, text: str, analysis: Analysis) -> tuple[str, ...]:
    """Return one sentence for each unknown label, relationship type or property, in the order of the text."""
    labels = _labels_of_variables(query)
    found: dict[str, None] = {}
    for node in iterate_nodes(query):
        if isinstance(node, ast.NodePattern) and node.labels is not None:
            _unknown(found, text, node.labels, schema.NODE_LABELS, "label")
        elif isinstance(node, ast.RelationshipPattern) and node.types is not None:
            _unknown(found, text, node.types, schema.RELATIONSHIP_TYPES, "relationship type")
        elif isinstance(node, ast.HasLabels):
            kinds = analysis.type_of(node.subject).kinds
            if kinds == {types.RELATIONSHIP}:
                _unknown(found, text, node.labels, schema.RELATIONSHIP_TYPES, "relationship type")
            elif kinds == {types.NODE}:
                _unknown(found, text, node.labels, schema.NODE_LABELS, "label")
        elif isinstance(node, ast.Property):
            _unknown_property(found, text, node, analysis, labels)
        elif isinstance(node, ast.Comparison):
            _never_true(found, text, node, analysis)
        elif isinstance(node, ast.PathPattern):
            _impossible_steps(found, text, node, labels)
        if isinstance(node, ast.NodePattern | ast.RelationshipPattern) and isinstance(node.properties, ast.MapLiteral):
            known = _properties(label_names(node.labels if isinstance(node, ast.NodePattern) else node.types),
                                isinstance(node, ast.NodePattern))  # fmt: skip
            for key, value in node.properties.entries:
                if key not in known:
                    _warn(found, text, value, f"property '{key}'", key, known)
    return tuple(found)


_NUMBERS = frozenset({types.INTEGER, types.FLOAT})


def _never_true(found: dict[str, None], text: str, node: ast.Comparison, analysis: Analysis) -> None:
    """Warn of a comparison whose sides have different types, and of one with null."""
    for (one, other), (operator, _) in zip(pairwise(node.operands), node.rest, strict=True):
        if any(isinstance(side, ast.Literal) and side.value is None for side in (one, other)):
            write = "IS NOT NULL" if operator == "<>" else "IS NULL"
            _add(found, text, node, f"A comparison with null is never true; write {write}")
            continue
        left, right = (analysis.type_of(side) for side in (one, other))
        is_known = all(side.kinds and side.kinds != types.EVERY for side in (left, right))
        mixed = left.kinds & _NUMBERS and right.kinds & _NUMBERS
        if operator != "<>" and is_known and not mixed and not left.kinds & right.kinds:
            _add(found, text, node, f"A comparison of {left.describe()} with {right.describe()} is never true")


def _impossible_steps(found: dict[str, None], text: str, path: ast.PathPattern, labels: Mapping[str, set[str]]) -> None:
    """Warn of a relationship whose type the schema does not have between these labels in this direction."""
    for before, step, after in zip(path.nodes, path.steps, path.nodes[1:], strict=False):
        if step.group is not None or step.length is not None:
            continue
        kinds = [
            schema.RELATIONSHIP_TYPES[name] for name in plain_names(step.types) if name in schema.RELATIONSHIP_TYPES
        ]
        ends = [_end_labels(node, labels) for node in (before, after)]
        ends = ends[::-1] if step.direction is ast.Direction.IN else ends
        if not kinds or not any(ends):
            continue
        ways = [ends, ends[::-1]] if step.direction is ast.Direction.BOTH else [ends]
        if any(_allows(kind, start, end) for kind in kinds for start, end in ways):
            continue
        known = " or ".join(f"({'|'.join(k.start)})-[:{k.name}]->({'|'.join(k.end)})" for k in kinds)
        _add(found, text, step, f"The schema has no such relationship between these nodes; it has {known}")


def _allows(kind: schema.RelationshipType, start: Set[str], end: Set[str]) -> bool:
    return (not start or bool(start & {*kind.start})) and (not end or bool(end & {*kind.end}))


def _end_labels(node: ast.NodePattern, labels: Mapping[str, set[str]]) -> Set[str]:
    own = plain_names(node.labels) if node.labels is not None else labels.get(node.variable or "", set())
    return own if own <= schema.NODE_LABELS.keys() else set()


def _labels_of_variables(query: ast.Query) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {}
    bare: set[str] = set()
    for node in iterate_nodes(query):
        if isinstance(node, ast.NodePattern | ast.RelationshipPattern) and node.variable is not None:
            names = label_names(node.labels if isinstance(node, ast.NodePattern) else node.types)
            found.setdefault(node.variable, set()).update(names)
        elif isinstance(node, ast.Item) and node.alias is not None:
            bare.add(node.alias)  # The name may refer to another node later.
        elif isinstance(node, ast.HasLabels) and isinstance(node.subject, ast.Variable):
            bare.add(node.subject.name)
    return {name: names for name, names in found.items() if name not in bare}


def _properties(names: Set[str], of_node: bool) -> set[str]:
    """Return the property names of these labels or types; of all if none is named."""
    table: Mapping[str, schema.NodeLabel | schema.RelationshipType] = (
        schema.NODE_LABELS if of_node else schema.RELATIONSHIP_TYPES
    )
    chosen = [table[name] for name in names if name in table] or list(table.values())
    return {prop.name for kind in chosen for prop in kind.properties}


def _unknown_property(
    found: dict[str, None], text: str, node: ast.Property, analysis: Analysis, labels: Mapping[str, set[str]]
) -> None:
    kinds = analysis.type_of(node.subject).kinds
    if kinds not in ({types.NODE}, {types.RELATIONSHIP}):
        return
    name = node.subject.name if isinstance(node.subject, ast.Variable) else ""
    known = _properties(labels.get(name, set()), kinds == {types.NODE})
    if node.key not in known:
        _warn(found, text, node, f"property '{node.key}'", node.key, known)


def _unknown(
    found: dict[str, None], text: str, labels: ast.LabelExpression, table: Mapping[str, object], what: str
) -> None:
    for part in iterate_nodes(labels):
        if isinstance(part, ast.LabelName) and part.name not in table:
            _warn(found, text, part, f"{what} '{part.name}'", part.name, table)


_OTHER_NAMES = {
    "Method": "Function {kind: 'method'}",
    "File": "Module",
    "Folder": "Directory",
    "Interface": "Class",
    "Import": "IMPORTS",
    "EXTENDS": "INHERITS",
    "IMPLEMENTS": "INHERITS",
    "USES": "REFERENCES",
    "HAS_METHOD": "DEFINES",
}
"""Names of other schemas, with ours."""


def _warn(found: dict[str, None], text: str, node: ast.Node, what: str, name: str, known: Iterable[str]) -> None:
    by_folded = {other.lower(): other for other in known}
    nearest = difflib.get_close_matches(name.lower(), by_folded, n=1, cutoff=0.5)
    near = _OTHER_NAMES.get(name) or (by_folded[nearest[0]] if nearest else "")
    hint = f"; did you mean '{near}'?" if near else ""
    _add(found, text, node, f"The schema has no {what}{hint}")


def _add(found: dict[str, None], text: str, node: ast.Node, message: str) -> None:
    line, column = position(text, max(node.start, 0))
    found[f"{message} (line {line}, column {column})"] = None


_NO_KEY = object()
"""Placeholder for a map key that is not a string."""

MAX_LEVELS = 40
"""Maximum nesting of lists and maps in one parameter."""

_MIN_INTEGER, _MAX_INTEGER = -(2**63), 2**63 - 1


def check_parameters(parameters: Mapping[str, Value], *, finite: bool) -> None:
    """Check parameter values. Raises: QueryRefusedError `bad_parameter`; with `finite` also for NaN and the infinities."""
    for name, value in parameters.items():
        if not isinstance(name, str) or not _is_text(name):
            raise _bad("the name of a parameter", "is not a string that UTF-8 can encode")
        for part, level in _parts(value):
            if level > MAX_LEVELS:
                raise _bad(f"the parameter ${name}", f"nests more than {MAX_LEVELS} lists and maps")
            fault = _fault(part, finite)
            if fault:
                raise _bad(f"the parameter ${name}", fault)


def _parts(value: Value) -> Iterator[tuple[object, int]]:
    """Yield the value and everything inside it, including keys, with the depth of each."""
    waiting: list[tuple[object, int]] = [(value, 0)]
    while waiting:
        part, level = waiting.pop()
        yield part, level
        if level > MAX_LEVELS:
            continue
        if isinstance(part, dict):
            waiting += [(key if isinstance(key, str) else _NO_KEY, level + 1) for key in part]
            waiting += [(item, level + 1) for item in part.values()]
        elif isinstance(part, list | tuple) and not _is_text_list(part):
            waiting += [(item, level + 1) for item in part]


def _is_text_list(items: Sequence[object]) -> bool:
    """Return whether all items are valid strings: found out together, as a list of a query may have a hundred thousand."""
    try:
        return _is_text("".join(items))  # type: ignore[arg-type]  # anything but strings is a TypeError
    except TypeError:
        return False


def _fault(part: object, finite: bool) -> str:
    """Return the problem of one value, without its content; empty if it is valid."""
    if part is None or isinstance(part, bool | list | tuple | dict):
        return ""
    if isinstance(part, str):
        return "" if _is_text(part) else "holds half of a surrogate pair, which is not a character"
    if isinstance(part, int):
        return "" if _MIN_INTEGER <= part <= _MAX_INTEGER else "holds an integer that does not fit 64 bits"
    if isinstance(part, float):
        is_odd = finite and not math.isfinite(part)
        return "holds NaN or an infinity, which this engine compares differently" if is_odd else ""
    if part is _NO_KEY:
        return "holds a map with a key that is not a string"
    return f"holds a {type(part).__name__}: values are null, numbers, texts, booleans, lists and maps"


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _bad(what: str, fault: str) -> QueryRefusedError:
    shown = what.encode("ascii", "backslashreplace").decode()
    return QueryRefusedError(f"{shown} {fault}", reason="bad_parameter", line=1, column=1)
