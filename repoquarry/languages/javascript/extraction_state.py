"""State that the visitors of one JavaScript file share: source text, scopes, definitions, constraint graph, node handlers.

Each visitor (`JavaScriptExtractor` creates them) receives this state and the visitors that it calls, and registers its handlers by node
kind; none inherits from another. Through the handlers a visitor reads the children of its nodes, whichever visitor handles them.

Source: https://jsdoc.app
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from repoquarry.languages.constraints import MENTION
from repoquarry.languages.extraction import ExtractionState
from repoquarry.languages.javascript.grammar import Grammar
from repoquarry.languages.javascript.scopes import JavaScriptScopeStack
from repoquarry.languages.source_text import normalize_layout

Handler = Callable[[Node], int]
#: node, name, variable of the receiver or -1, where its text begins if before the node, name of the object that holds it
Naming = Callable[[Node, str, int, Node | None, str], int]

_SPACE = re.compile(r"\s+")
_NAMING = frozenset(
    (
        *(
            "identifier",
            "member_expression",
            "shorthand_property_identifier",
            "ternary_expression",
            "binary_expression",
        ),
        *("arrow_function", "function_expression", "parenthesized_expression"),
    )
)
_WRAPPERS = frozenset(("parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression"))
#: longer signatures are cut
_MAX_SIGNATURE_CHARACTERS = 400
#: longer computed keys do not name a definition
_MAX_KEY_CHARACTERS = 60


@dataclass(slots=True)
class BodyFrame:
    """The function, class body or file whose code is being read."""

    index: int
    """Its definition, -1 for the file."""
    receiver: int
    """Variable of `this`, -1 as long as nothing reads it or where there is none."""
    binds_this: bool
    """True if it has a `this` of its own: arrow functions use that of the body around them."""
    result: int
    yielded: int
    home: int = -1
    """Definition of the class around a method, to which `super` refers; -1 for none."""
    yields: bool = False
    expected: int = -1
    """Variable of the type that its results are expected to be of, -1 for none."""
    branches: int = 0


class JavaScriptExtractionState(ExtractionState):
    """One file of JavaScript or TypeScript being read."""

    def __init__(self, path: str, source: bytes, grammar: Grammar) -> None:
        super().__init__(path, source)
        self.kinds = grammar.kinds
        self.comments = grammar.comments
        self.scopes = JavaScriptScopeStack(self.graph)
        self.handlers: dict[str, Handler] = {}
        self._by_number: dict[int, Handler] = {}
        """The same by the numbers of the kinds that were met."""
        self.naming: dict[str, Naming] = {}
        """For functions and classes, which take the name of the variable or property that they are assigned to."""
        self.given_names: dict[int, tuple[str, str]] = {}
        """Node of an expression that is read later -> name and holder of the target that it is assigned to."""
        self.around: dict[int, Node] = {}
        """By id of a node the statement that does no more than hold it (`enclose`); a node itself finds it from the root on."""
        self.documented: dict[int, str] = {}
        """As `comments.documented_places` finds them."""
        self.calls = 0
        self.body = BodyFrame(-1, -1, True, self.graph.variable(), self.graph.variable())
        self.bodies = [self.body]
        self._unnamed: Counter[int] = Counter()

    # ---- text

    def flat(self, node: Node | None) -> str:
        """Source text on one line."""
        return _SPACE.sub(" ", self.text(node)).strip()[:_MAX_SIGNATURE_CHARACTERS] if node is not None else ""

    def signature(self, node: Node | None) -> str:
        """Return the source text of parameters or types on one line, without what is layout."""
        return normalize_layout(self.text(node), "//")[:_MAX_SIGNATURE_CHARACTERS] if node is not None else ""

    def kind(self, node: Node) -> str:
        """Return the kind of a node."""
        return self.kinds[node.kind_id]

    def symbol(self, node: Node) -> int:
        """Symbol number of a node's text."""
        return self.graph.symbol(self.text(node))

    def line(self, node: Node) -> int:
        """1-based line on which a node starts."""
        return node.start_point[0] + 1

    # ---- values

    def mention(self, node: Node, *, is_assigned: bool = False) -> None:
        """Log a plain name, which may be one of the file."""
        line = -self.line(node) if is_assigned else self.line(node)
        self.scopes.log.mentions.append((self.scopes.current, self.text(node), line, self.owner))

    def mention_handler(self, node: Node, variable: int) -> None:
        """Record functions that are named where something keeps them to call them later: `onClick={save}`, `table = { save }`."""
        if self.kind(node) in _NAMING:
            self.graph.effect(MENTION, variable, self.line(node), self.owner, self.graph.symbol("handler"))

    @property
    def owner(self) -> int:
        """Definition whose code is being read, -1 for the file."""
        return self.body.index

    def value(self, node: Node | None) -> int:
        """Return the variable of an expression; statements have none worth reading."""
        if node is None:
            return self.nothing()
        number = node.kind_id
        handler = self._by_number.get(number)
        if handler is None:
            handler = self._by_number[number] = self.handlers.get(self.kinds[number], self._unknown)
        return handler(node)

    def _unknown(self, node: Node) -> int:
        return self.values(node.named_children)

    def named_value(
        self, node: Node, name: str, *, receiver: int = -1, start: Node | None = None, holder: str = ""
    ) -> int:
        """Return the value of an expression that gives its name to a function or class written in place."""
        inner = node
        while self.kind(inner) in _WRAPPERS and (parts := self.parts(inner)):
            inner = parts[0]
        naming = self.naming.get(self.kind(inner)) if name else None
        if inner.id != node.id and self.kind(inner) in ("object", "call_expression") and naming is not None:
            self.given_names[inner.id] = name, holder  # what stands around it may say its type
            return self.value(node)
        return naming(inner, name, receiver, start, holder) if naming is not None else self.value(node)

    def values(self, nodes: Sequence[Node]) -> int:
        """Read several nodes for their effects; return a variable that holds nothing."""
        for node in nodes:
            if self.kind(node) != "comment":
                self.value(node)
        return self.nothing()

    def statements(self, nodes: Sequence[Node]) -> None:
        """Read statements in order. One that cannot be understood is recorded, and the rest is read."""
        for node in nodes:
            try:
                self.value(node)
            except (IndexError, KeyError, TypeError, ValueError, StopIteration):
                # only broken source has nodes of another shape than the grammar says
                self.complain(node, f"not understood: {self.kind(node)}")

    def enclose(self, statement: Node) -> list[Node]:
        """Return the parts of an expression statement, `export` or `declare`, of which `around` tells from now on."""
        parts = self.parts(statement)
        self.around.update((part.id, statement) for part in parts)
        return parts

    def nothing(self) -> int:
        """Return a variable that holds nothing of interest."""
        return self.constant("undefined")

    # ---- bodies and definitions

    def receiver(self) -> int:
        """Return the variable of `this`."""
        for body in reversed(self.bodies):
            if body.binds_this:
                if body.receiver < 0 and body.index >= 0:
                    body.receiver = self.graph.variable()
                return body.receiver if body.receiver >= 0 else self.nothing()
        return self.nothing()

    def home(self) -> int:
        """Return the class to which `super` refers here, -1 for none."""
        return next((body.home for body in reversed(self.bodies) if body.binds_this), -1)

    def open(self, body: BodyFrame) -> None:
        """Goes on reading within a body."""
        self.bodies.append(body)
        self.body = body

    def close(self) -> None:
        """Leave the body."""
        self.total_branches += self.bodies.pop().branches
        self.body = self.bodies[-1]

    def allocate(self, name: str) -> int:
        """Return the index of a new definition inside the one being read."""
        return self._reservations.allocate(name, self.owner)

    def unnamed(self, word: str = "lambda") -> str:
        """Return a name for a function or class without one."""
        self._unnamed[self.owner] += 1
        return f"<{word}{self._unnamed[self.owner]}>"

    # ---- children

    @staticmethod
    def child(node: Node, field: str) -> Node | None:
        """The node of a field, None where it is missing."""
        return node.child_by_field_name(field)

    def part(self, node: Node, *kinds: str) -> Node | None:
        """Return the first child of one of these kinds."""
        return next((child for child in node.named_children if self.kind(child) in kinds), None)

    def parts(self, node: Node) -> list[Node]:
        """Return the named children that mean something: comments can occur between any two."""
        comments = self.comments
        return [child for child in node.named_children if child.kind_id not in comments]

    def first(self, node: Node) -> Node | None:
        """Return the first of them, None where there is none."""
        return next(iter(self.parts(node)), None)

    @staticmethod
    def has_token(node: Node, *tokens: str) -> bool:
        """Return whether one of these keywords or signs stands directly in the node."""
        return any(not child.is_named and child.type in tokens for child in node.children)


def string_text(reader: JavaScriptExtractionState, node: Node) -> str | None:
    """Text of a string constant between its quotes; None where it has escapes, or of a template with substitutions."""
    parts = node.named_children
    if any(reader.kind(part) != "string_fragment" for part in parts):
        return None
    raw = reader.text(node)
    return raw[1:-1] if len(raw) >= 2 else None


def property_key(reader: JavaScriptExtractionState, node: Node, *, computed: bool = False) -> str | None:
    """Return the name of a property as it is written: `a`, `"a"`, `1`, `["a"]`; None where it is an expression.

    `computed`: the node is in brackets already.
    """
    kind = reader.kind(node)
    if kind == "computed_property_name":
        inner = reader.parts(node)
        return property_key(reader, inner[0], computed=True) if inner else None
    if kind == "string" or kind == "template_string":
        return string_text(reader, node) or None
    if kind == "number":
        return reader.text(node)
    if computed:
        return _symbol_name(reader.text(node)) if kind == "member_expression" else None
    return reader.text(node)


def computed_name(reader: JavaScriptExtractionState, node: Node) -> str:
    """Return the name of a definition below a computed key: the key as it is written, `[KEY]`; a name of its own for longer ones."""
    text = reader.flat(node)
    return text if len(text) <= _MAX_KEY_CHARACTERS and "(" not in text else reader.unnamed("method")


def _symbol_name(text: str) -> str | None:
    """`Symbol.iterator` as the name of the property that it stands for."""
    return f"@@{text[7:]}" if text.startswith("Symbol.") and text[7:].isidentifier() else None


_STARS = re.compile(r"^[ \t]*\*? ?", re.MULTILINE)
_OPENING = re.compile(rb"/\*\*(?!/)")


def documented_places(reader: JavaScriptExtractionState, root: Node) -> dict[int, str]:
    """Documentation comments by the byte at which begins what each stands directly before, decorators left aside.

    From the comments and not from what they document: a node of a syntax tree finds those around and before it from the root on.
    """
    found: dict[int, str] = {}
    end = 0
    for opening in _OPENING.finditer(reader.source):
        comment = root.descendant_for_byte_range(*opening.span()) if opening.start() >= end else None
        if comment is None or reader.kind(comment) != "comment" or comment.start_byte != opening.start():
            continue
        end = comment.end_byte
        after = comment.next_named_sibling
        while after is not None and reader.kind(after) == "decorator":
            after = after.next_named_sibling
        if after is not None:
            found[after.start_byte] = reader.text(comment)
    return found


def comment_of(reader: JavaScriptExtractionState, node: Node) -> str | None:
    """Return the text of the documentation comment directly before a node, None without one."""
    return reader.documented.get(node.start_byte)


def documentation(reader: JavaScriptExtractionState, node: Node) -> str:
    """Return the documentation comment before a node without its marks; empty when absent."""
    text = comment_of(reader, node)
    return _STARS.sub("", text[3:-2]).strip() if text is not None else ""
