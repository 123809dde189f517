"""Reader of TypeScript types: turns an annotation into constraint graph variables of the classes or values that it allows.

`type` gives a variable that holds classes (as `TYPED` and `DECLARED` want them), `annotated` one that holds what a value of the type may
be. Both give a variable without assignments where a type says nothing (`any`, `unknown`, a mapped type).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Import
from repoquarry.languages.javascript.extraction_state import Handler, JavaScriptExtractionState
from repoquarry.languages.javascript.typing.type_forms import FORMS as PREDICATES
from repoquarry.languages.javascript.typing.type_forms import RESULT, SIGNATURE, ComputedTypes, Generics, OpenClasses

_IMPORT = re.compile(rb"""\bimport\(\s*(['"])([^'"\n]{1,300})\1\s*\)(\.)?\Z""")
_LONGEST_IMPORT = 400
_PREDEFINED = {"string": "String", "number": "Number", "boolean": "Boolean", "symbol": "Symbol", "bigint": "BigInt"}
#: what stands around a type and says nothing itself
_AROUND = frozenset(
    (
        "type_annotation",
        "parenthesized_type",
        "readonly_type",
        "optional_type",
        "rest_type",
        "constraint",
        "default_type",
        "opting_type_annotation",
        "omitting_type_annotation",
        "adding_type_annotation",
        "flow_maybe_type",
    )
)


#: types that filter no values
_WITHOUT_CLASSES = frozenset(
    ("lookup_type", "type_query", "object_type", "function_type", "union_type", "intersection_type")
)
#: types whose objects have exactly the members of their type argument
_SAME_MEMBERS = frozenset(("Readonly", "Required", "NoInfer", "NonNullable"))


@dataclass(eq=False, repr=False)
class TypeReader:
    """Reader of types."""

    reader: JavaScriptExtractionState
    classes: OpenClasses

    def __post_init__(self) -> None:
        self._is_mentioned = True
        self.generics = Generics(self.reader, self.type)
        self._computed = ComputedTypes(self.reader, self.type)
        self._forms: dict[str, Handler] = {
            "type_identifier": self._name,
            "identifier": self._name,
            "predefined_type": self._predefined,
            "generic_type": self._generic,
            "new_expression": self._made,
            "lookup_type": lambda node: -1 if (found := self._computed.one_of(node)) is None else found,
            "array_type": self._array,
            "tuple_type": self._tuple,
            "union_type": self._union,
            "intersection_type": self._union,
            "conditional_type": self._conditional,
            "nested_type_identifier": self._nested,
            "nested_identifier": self._nested,
            "member_expression": self._nested,
            "type_query": self._query,
            "this_type": self._this,
            "object_type": self._object,
            "literal_type": self._literal,
            "template_literal_type": lambda node: self._built_in("String"),
            "index_type_query": lambda node: self._built_in("String"),
        }

    # ---- what the other parts ask for

    def annotated(self, node: Node) -> int:
        """Return a variable of the possible values of the type, -1 where the type is ignored."""
        inner = self.inner(node)
        kind = self.reader.kind(inner)
        graph, reader = self.reader.graph, self.reader
        if kind in PREDICATES:
            return reader.constant("Boolean")
        if kind == "lookup_type" and self._computed.one_of(inner) is None:
            return self._lookup(inner)
        if kind == "type_query":
            return self._query(inner)
        if kind in ("union_type", "intersection_type"):
            found = [one for child in reader.parts(inner) if (one := self.annotated(child)) >= 0]
            return graph.copies(found) if found else -1
        if kind == "object_type":
            return self._shape(inner)
        if kind == "function_type":
            return self._function(inner)
        if (given := self._computed.value(inner)) is not None:
            return given
        found_type = self.type(inner)
        return graph.value(op.TYPED, found_type, reader.owner) if found_type >= 0 else -1

    def declared(self, node: Node, source: int) -> int:
        """The part of `source` that belongs to the type, and the possible values of the type."""
        inner = self.inner(node)
        graph, reader = self.reader.graph, self.reader
        kind = reader.kind(inner)
        if kind == "lookup_type" and (one := self._computed.one_of(inner)) is not None:
            return graph.value(op.DECLARED, one, reader.owner, source) if one >= 0 else source
        if kind in _WITHOUT_CLASSES or (kind == "generic_type" and self._computed.is_of_result(inner)):
            known = self.annotated(inner)
            return graph.copies((source, known)) if known >= 0 else source
        found = self.type(inner)
        return graph.value(op.DECLARED, found, reader.owner, source) if found >= 0 else source

    def is_plain_class(self, node: Node) -> bool:
        """Return whether a type is a name, or a name with brackets, other than a type parameter of the function or class around."""
        reader = self.reader
        inner = self.inner(node)
        if reader.kind(inner) == "generic_type":
            inner = inner.child_by_field_name("name") or inner
        return reader.kind(inner) == "type_identifier" and not self.generics.is_parameter(reader.text(inner))

    def type(self, node: Node) -> int:
        """Return a variable that holds the classes that a type names, -1 where it names none."""
        inner = self.inner(node)
        handler = self._forms.get(self.reader.kind(inner))
        if handler is not None:
            return handler(inner)
        self.read_all(inner)
        return -1

    def read_all(self, node: Node) -> None:
        """Read the types inside a node for what they mention."""
        for child in self.reader.parts(node):
            self.type(child)

    @contextmanager
    def unmentioned(self) -> Iterator[None]:
        """Read types once more, without noting that they are mentioned."""
        before, self._is_mentioned = self._is_mentioned, False
        try:
            yield
        finally:
            self._is_mentioned = before

    def listed(self, nodes: Sequence[Node | None]) -> int:
        """Return a variable of several types in their order, as a tuple has them."""
        with self.unmentioned():
            found = [self.type(one) if one is not None else -1 for one in nodes]
        return self._placed(found)

    def _placed(self, found: Sequence[int]) -> int:
        graph = self.reader.graph
        placed = [one if one >= 0 else graph.variable() for one in found]
        return graph.value(op.TYPEARGS, self._built_in("%Tuple"), len(placed), *placed)

    # ---- forms of types

    def inner(self, node: Node) -> Node:
        """A type without what stands around it and says nothing itself."""
        while True:
            kind, parts = self.reader.kind(node), self.reader.parts(node)
            if kind in _AROUND and parts:
                node = parts[0]
            elif kind == "generic_type" and (given := self._same_members(parts)) is not None:
                node = given
            else:
                return node

    def _same_members(self, parts: Sequence[Node]) -> Node | None:
        """Return the type parameter of `Readonly<T>` and the like; None for other types with brackets."""
        if len(parts) != 2 or self.reader.text(parts[0]) not in _SAME_MEMBERS:
            return None
        given = self.reader.parts(parts[1])
        is_parameter = given and self.reader.kind(given[0]) == "type_identifier"
        return given[0] if is_parameter and self.generics.is_parameter(self.reader.text(given[0])) else None

    def _built_in(self, name: str) -> int:
        reader = self.reader
        return reader.graph.value(op.NAME, reader.graph.symbol(name))

    def _name(self, node: Node) -> int:
        reader = self.reader
        imported = self._imported(node.start_byte, reader.text(node), reader.line(node))
        variable = imported if imported >= 0 else reader.scopes.plain(reader.text(node))
        self._mention(node, variable)
        return variable

    def _imported(self, end: int, name: str, line: int) -> int:
        """Return what `import("./x").` before a name makes of it, -1 without one: the grammars read such types in several shapes."""
        source = self.reader.source
        if end == 0 or source[end - 1] not in b".)":
            return -1
        found = _IMPORT.search(source, max(0, end - _LONGEST_IMPORT), end)
        if found is None or bool(found[3]) != (name != "*"):
            return -1
        graph, specifier = self.reader.graph, found[2].decode("utf-8", "replace")
        if self._is_mentioned:
            taken = name if name != "*" else ""
            self.reader.imports.append(Import(specifier, taken, "", 0, line, False, "typing"))
        return graph.value(op.FROM, graph.symbol(specifier), 0, graph.symbol(name), 0, -1)

    def _mention(self, node: Node, variable: int) -> None:
        reader = self.reader
        if not self._is_mentioned:
            return
        annotation = reader.graph.symbol("annotation")
        reader.graph.effect(op.MENTION, variable, reader.line(node), reader.owner, annotation)

    def _predefined(self, node: Node) -> int:
        name = _PREDEFINED.get(self.reader.text(node))
        return self._built_in(name) if name else -1

    def _literal(self, node: Node) -> int:
        names = {"string": "String", "number": "Number", "true": "Boolean", "false": "Boolean"}
        name = next((names[kind] for kind in map(self.reader.kind, node.named_children) if kind in names), None)
        return self._built_in(name) if name else -1

    def _generic(self, node: Node) -> int:
        if (computed := self._computed.type(node)) is not None:
            return computed
        name, given = node.child_by_field_name("name"), node.child_by_field_name("type_arguments")
        base = self.type(name) if name is not None else -1
        if base < 0 or given is None:
            self.read_all(given if given is not None else node)
            return -1
        return self.generics.with_arguments(base, given)

    def _made(self, node: Node) -> int:
        """Type that `new Map<string, Item>()` gives the field that it is assigned to."""
        name, given = node.child_by_field_name("constructor"), node.child_by_field_name("type_arguments")
        base = self.type(name) if name is not None and given is not None else -1
        return self.generics.with_arguments(base, given) if base >= 0 and given is not None else -1

    def _array(self, node: Node) -> int:
        inner = self.reader.parts(node)
        return self._sequence(self.type(inner[0]) if inner else -1)

    def _sequence(self, element: int) -> int:
        element = element if element >= 0 else self.reader.graph.variable()
        return self.reader.graph.value(op.TYPEARGS, self._built_in("Array"), 1, element)

    def _tuple(self, node: Node) -> int:
        reader = self.reader
        elements: list[int] = []
        has_rest = False
        for child in reader.parts(node):
            annotation = child.child_by_field_name("type") if "parameter" in reader.kind(child) else child
            is_rest = reader.kind(child) == "rest_type" or reader.part(child, "rest_pattern") is not None
            has_rest = has_rest or is_rest
            inner = self.inner(annotation) if annotation is not None else child
            if is_rest and reader.kind(inner) == "array_type":
                inner = reader.parts(inner)[0]
            elements.append(self.type(inner) if annotation is not None else -1)
        if has_rest:  # how many come before another is not known
            known = [one for one in elements if one >= 0]
            return self._sequence(reader.graph.copies(known) if known else -1)
        return self._placed(elements)

    def _union(self, node: Node) -> int:
        found = [one for child in self.reader.parts(node) if (one := self.type(child)) >= 0]
        return self.reader.graph.copies(found) if found else -1

    def _conditional(self, node: Node) -> int:
        ends = (node.child_by_field_name("consequence"), node.child_by_field_name("alternative"))
        found = [one for end in ends if end is not None and (one := self.type(end)) >= 0]
        return self.reader.graph.copies(found) if found else -1

    def _nested(self, node: Node) -> int:
        """`Module.Name`."""
        reader = self.reader
        parts = reader.parts(node)
        if len(parts) != 2:
            return -1
        if reader.kind(parts[0]) == "call_expression":
            return self._name(parts[1])
        module = self._nested(parts[0]) if reader.kind(parts[0]) != "identifier" else self._name(parts[0])
        if module < 0:
            return -1
        return reader.graph.value(op.ATTR, module, reader.symbol(parts[1]), reader.line(parts[1]), reader.owner)

    def _query(self, node: Node) -> int:
        """`typeof x`."""
        parts = self.reader.parts(node)
        if not parts:
            return -1
        module = self._imported(parts[0].end_byte, "*", self.reader.line(node))
        return module if module >= 0 else self.reader.value(parts[0])

    def _this(self, _: Node) -> int:
        members = self.classes.innermost
        return members.value if members is not None else -1

    def _object(self, node: Node) -> int:
        """Return an object type within another type says nothing by itself."""
        self._shape(node)
        return -1

    def _shape(self, node: Node) -> int:
        """Return an object with the properties of an object type."""
        reader = self.reader
        pairs: list[int] = []
        for child in reader.parts(node):
            name, annotation = child.child_by_field_name("name"), child.child_by_field_name("type")
            if reader.kind(child) != "property_signature" or name is None or annotation is None:
                continue
            typed = self.annotated(annotation)
            if typed >= 0:
                pairs += (reader.symbol(name), typed)
        return reader.graph.value(op.CONTAINER, reader.graph.symbol("dict"), len(pairs) >> 1, *pairs)

    def _function(self, node: Node) -> int:
        """Return a value that gives what a function type declares, -1 where that says nothing."""
        reader = self.reader
        given, result = node.child_by_field_name("parameters"), node.child_by_field_name("return_type")
        if given is not None:
            self.read_all(given)
        found = self.type(result) if result is not None else -1
        if found < 0:
            return -1
        return reader.graph.value(op.CONTAINER, reader.graph.symbol(SIGNATURE), 1, reader.graph.symbol(RESULT), found)

    def _lookup(self, node: Node) -> int:
        """`T["key"]`."""
        reader = self.reader
        parts = reader.parts(node)
        if len(parts) != 2:
            return -1
        base = self.annotated(parts[0])
        text = reader.text(parts[1]).strip("'\"")
        if base < 0 or not text.isidentifier():
            return base
        return reader.graph.value(op.ATTR, base, reader.graph.symbol(text), reader.line(node), reader.owner)
