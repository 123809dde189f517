"""Reader of types in JSDoc comments, which count as type annotations in JavaScript files.

TypeScript's checker reads these comments too.
Types without classes (object shapes, functions, `*`) are ignored.
Source: https://www.typescriptlang.org/docs/handbook/jsdoc-supported-types.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Import
from repoquarry.languages.javascript.extraction_state import JavaScriptExtractionState, comment_of
from repoquarry.languages.javascript.scopes import WHOLE
from repoquarry.languages.javascript.typing.type_forms import predicate_field, subject

_TAG = re.compile(r"@(param|arg|argument|returns?|type|typedef)\s*\{")
_NAME = re.compile(r"\s*\[?\s*([\w$.]+)")
_PREDICATE = re.compile(r"\s*(asserts\s+)?([\w$]+)\s+is\s+(.+)", re.DOTALL)
_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"[^"]*"|'[^']*'|`[^`]*`)|(?P<name>[A-Za-z_$][\w$]*)|(?P<number>\d+)|(?P<sign>=>|\.\.\.|.))"""
)
_STAR = re.compile(r"\n[ \t]*\*")
_BUILT_IN = {"string": "String", "number": "Number", "boolean": "Boolean", "symbol": "Symbol", "bigint": "BigInt"}
_SILENT = frozenset(
    ["any", "unknown", "void", "undefined", "null", "never", "object", "Object", "Function", "function", "this"]
)
#: so deep brackets are read
_MAX_DEPTH = 20
#: longer types are not read
_MAX_TYPE_CHARACTERS = 1_000


@dataclass(slots=True)
class Tags:
    """The types of one comment, as written."""

    parameters: dict[str, str] = field(default_factory=dict)
    returns: str = ""
    type: str = ""
    definitions: dict[str, str] = field(default_factory=dict)


def tags_of(comment: str) -> Tags:
    """Types that the tags of a comment name."""
    found = Tags()
    text = _STAR.sub("\n", comment)
    for tag in _TAG.finditer(text):
        end = _closing(text, tag.end())
        if end < 0 or end - tag.end() > _MAX_TYPE_CHARACTERS:
            continue
        written, named = text[tag.end() : end], _NAME.match(text, end + 1)
        if tag[1] == "type":
            found.type = found.type or written
        elif tag[1].startswith("return"):
            found.returns = found.returns or written
        elif named is not None and tag[1] == "typedef":
            found.definitions[named[1]] = written
        elif named is not None:
            found.parameters[named[1]] = written
    return found


def _closing(text: str, start: int) -> int:
    """Where the brace that was opened before `start` is closed, -1 for nowhere."""
    depth = 1
    for at in range(start, min(len(text), start + _MAX_TYPE_CHARACTERS + 1)):
        depth += (text[at] == "{") - (text[at] == "}")
        if not depth:
            return at
    return -1


class DocumentedTypes:
    """Gives types of comments their variables."""

    def __init__(self, reader: JavaScriptExtractionState, *, is_read: bool) -> None:
        """`is_read`: whether the file's language leaves types to its comments."""
        self.reader = reader
        self._is_read = is_read
        self._defined: dict[str, int] = {}
        """Name of a `@typedef` of the file -> variable of the classes that it stands for."""

    def define(self, root: Node) -> None:
        """Read what the comments of a file define."""
        reader = self.reader
        for node in root.named_children if self._is_read else ():
            if reader.kind(node) == "comment" and "@typedef" in (text := reader.text(node)):
                for name, written in tags_of(text).definitions.items():
                    found = self._type(written, node)
                    if found >= 0 and name not in self._defined:
                        self._defined[name] = found

    def finish(self) -> None:
        """Other files take what the file defines by `import("./x").Name`."""
        graph = self.reader.graph
        for name, variable in self._defined.items():
            if name not in self.reader.scopes.module.names:
                graph.scopes += (-1, graph.symbol(name), variable)

    def tags(self, node: Node) -> Tags | None:
        """Return the tags of the comment before a node."""
        comment = comment_of(self.reader, node) if self._is_read else None
        return tags_of(comment) if comment is not None and "@" in comment else None

    def declared(self, written: str, node: Node, source: int) -> int:
        """The part of `source` that belongs to a type, and the possible values of the type."""
        found = self._type(written, node) if written else -1
        return self.reader.graph.value(op.DECLARED, found, self.reader.owner, source) if found >= 0 else source

    def annotated(self, written: str, node: Node) -> int:
        """Return a variable of the possible values of a type, -1 where the type is ignored."""
        found = self._type(written, node) if written else -1
        return self.reader.graph.value(op.TYPED, found, self.reader.owner) if found >= 0 else -1

    def told(self, written: str, function: Node) -> tuple[str, int] | None:
        """Attribute in which the function of `@returns {node is Leaf}` has the type, and the type; None for other results."""
        found = _PREDICATE.fullmatch(written)
        of = subject(self.reader, function, found[2]) if found is not None else None
        if found is None or of is None:
            return None
        return predicate_field(of, asserts=bool(found[1])), self._type(found[3], function)

    def cast(self, node: Node, value: int) -> int:
        """`/** @type {Foo} */ (value)`."""
        found = self.tags(node)
        return self.declared(found.type, node, value) if found is not None else value

    def _type(self, written: str, node: Node) -> int:
        found = _Parser(self, written, node).union(0)
        return self.reader.graph.copies(found) if found else -1

    def named(self, names: list[str], line: int) -> int:
        """Return the classes that a dotted name means, -1 for none."""
        reader, graph = self.reader, self.reader.graph
        if names[0] in _SILENT:
            return -1
        if names[0] in _BUILT_IN:
            return graph.value(op.NAME, graph.symbol(_BUILT_IN[names[0]]))
        variable = self._defined.get(names[0], -1)
        variable = variable if variable >= 0 else reader.scopes.plain(names[0])
        return self.below(variable, names[1:], line)

    def below(self, variable: int, names: list[str], line: int) -> int:
        """Values that attributes of a value lead to."""
        reader, graph = self.reader, self.reader.graph
        for name in names:
            variable = graph.value(op.ATTR, variable, graph.symbol(name), line, reader.owner)
        return variable

    def imported(self, specifier: str, names: list[str], line: int) -> int:
        """`import("./x").Name`."""
        reader, graph = self.reader, self.reader.graph
        taken = names[0] if names else ""
        reader.imports.append(Import(specifier, taken, "", 0, line, False, "typing"))
        found = graph.value(op.FROM, graph.symbol(specifier), 0, graph.symbol(taken or WHOLE), 0, -1)
        return self.below(found, names[1:], line)

    def generic(self, base: int, arguments: list[int]) -> int:
        """`Base<A, B>`."""
        graph = self.reader.graph
        given = [one if one >= 0 else graph.variable() for one in arguments]
        return graph.value(op.TYPEARGS, base, len(given), *given)

    def array(self, element: int) -> int:
        """`Element[]`."""
        graph = self.reader.graph
        return self.generic(graph.value(op.NAME, graph.symbol("Array")), [element])


class _Parser:
    """Reader of one type; what it cannot read says nothing."""

    def __init__(self, types: DocumentedTypes, text: str, node: Node) -> None:
        self._types = types
        self._node = node
        self._tokens = list(self._read(text))
        self._at = 0

    @staticmethod
    def _read(text: str) -> Iterator[tuple[str, str]]:
        for match in _TOKEN.finditer(text.strip()):
            yield match.lastgroup or "", match[match.lastgroup or 0]

    def _peek(self) -> str:
        return self._tokens[self._at][1] if self._at < len(self._tokens) else ""

    def _take(self, *signs: str) -> bool:
        if self._peek() in signs:
            self._at += 1
            return True
        return False

    def union(self, depth: int) -> list[int]:
        """`A | B`: the variables of those that say something."""
        found: list[int] = []
        while depth < _MAX_DEPTH:
            one = self._one(depth)
            found += [one] if one >= 0 else []
            if not self._take("|", "&"):
                break
        return found

    def _one(self, depth: int) -> int:
        if depth >= _MAX_DEPTH:
            return -1
        while self._take("?", "!", "...", "readonly", "="):
            pass
        found = self._plain(depth)
        while self._peek() in ("[", "=", "?", "!"):
            if self._take("["):
                found = self._types.array(found) if self._take("]") else self._skip("]")
            else:
                self._at += 1
        if self._take("=>"):
            self.union(depth + 1)
            return -1
        return found

    def _plain(self, depth: int) -> int:
        if self._at >= len(self._tokens):
            return -1
        kind, text = self._tokens[self._at]
        self._at += 1
        if kind in ("text", "number"):
            return self._types.named(["string" if kind == "text" else "number"], 0)
        if text == "(":
            inner = self.union(depth + 1)
            if self._peek() != ")":  # parameters of a function
                return self._skip(")")
            self._at += 1
            return self._types.reader.graph.copies(inner) if inner and self._peek() != "=>" else -1
        if text in "{[":
            return self._skip("}" if text == "{" else "]")
        if kind != "name":
            return -1
        return self._name(text, depth)

    def _name(self, text: str, depth: int) -> int:
        if text in ("typeof", "keyof"):
            self._one(depth + 1)
            return -1
        specifier = ""
        names = [text]
        if text == "import" and self._take("("):
            specifier, names = self._peek()[1:-1], []
            self._at += 1
            self._take(")")
        elif text == "function" and self._peek() == "(":
            self._at += 1
            return self._skip(")")
        while self._take("."):
            if self._peek() == "<":
                break
            names.append(self._peek())
            self._at += 1
        line = self._types.reader.line(self._node)
        base = self._types.imported(specifier, names, line) if specifier else self._types.named(names, line)
        return self._arguments(base, depth)

    def _arguments(self, base: int, depth: int) -> int:
        if not self._take("<"):
            return base
        arguments: list[int] = []
        while self._at < len(self._tokens) and depth < _MAX_DEPTH:
            found = self.union(depth + 1)
            arguments.append(self._types.reader.graph.copies(found) if found else -1)
            if not self._take(","):
                break
        self._take(">")
        return self._types.generic(base, arguments) if base >= 0 else -1

    def _skip(self, closing: str) -> int:
        """Goes on behind a bracket that is open."""
        opening, depth = {")": "(", "]": "[", "}": "{"}[closing], 1
        while self._at < len(self._tokens) and depth:
            depth += (self._peek() == opening) - (self._peek() == closing)
            self._at += 1
        return -1
