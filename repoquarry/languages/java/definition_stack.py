"""Java parser, and `DefinitionStack`: collects the definitions of a file, with nesting, branches and calls, while its tree is visited."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import msgspec
import tree_sitter_java
from tree_sitter import Language, Parser, Tree
from tree_sitter import Node as Syntax

from repoquarry.languages.extraction import find_syntax_errors
from repoquarry.languages.facts import Decorator, Definition, LambdaArgument, ParseError
from repoquarry.languages.source_text import normalize_layout

_LANGUAGE = Language(tree_sitter_java.language())


#: `T @A ... xs`, which the grammar does not read
_VARIADIC_ANNOTATIONS = re.compile(rb"(?:@[\w.]+\s*(?:\([^()]*\)\s*)?)+(?=\.\.\.)")


def parse(text: bytes) -> Tree:
    """Return the syntax tree of a file; the tree lacks annotations before the dots of variadic parameters."""
    tree = Parser(_LANGUAGE).parse(text)
    if tree.root_node.has_error and b"..." in text:
        plain = _VARIADIC_ANNOTATIONS.sub(lambda found: b" " * len(found[0]), text)
        repaired = Parser(_LANGUAGE).parse(plain)
        if len(find_syntax_errors(repaired.root_node)) < len(find_syntax_errors(tree.root_node)):
            return repaired
    return tree


def text_of(node: Syntax) -> str:
    """Return the source text of a node."""
    return (node.text or b"").decode("utf-8", "replace")


def line_of(node: Syntax) -> int:
    """1-based line on which a node begins."""
    return node.start_point[0] + 1


def named(node: Syntax) -> list[Syntax]:
    """Named children without comments."""
    return [child for child in node.named_children if child.type not in ("line_comment", "block_comment")]


def first(node: Syntax, *types: str) -> Syntax | None:
    """Return the first named child of one of the types."""
    return next((child for child in node.named_children if child.type in types), None)


_SPACE = re.compile(r"\s+")
_STAR = re.compile(r"^\s*\*? ?", re.MULTILINE)


@dataclass
class OpenDefinition:
    """A definition whose body is being read."""

    index: int
    key: str
    qualname: str
    kind: str
    branches: int = 0
    calls: int = 0
    lambdas: int = 0
    anonymous: int = 0


class DefinitionStack:
    """Opens and closes definitions."""

    def __init__(self) -> None:
        self.made: list[Definition] = []
        self.errors: list[ParseError] = []
        self.lambdas: list[LambdaArgument] = []
        self.branches = 0
        self.imported: dict[str, str] = {}
        """Name that the file imports -> its full name."""
        self._open: list[OpenDefinition] = []
        self._module = OpenDefinition(-1, "", "", "module")
        self._keys: dict[str, int] = {}

    @property
    def depth(self) -> int:
        """How many definitions are open."""
        return len(self._open)

    def around(self) -> OpenDefinition:
        """Return the innermost one that is open, or the file."""
        return self._open[-1] if self._open else self._module

    def complain(self, node: Syntax, message: str) -> None:
        """Record what could not be read."""
        self.errors.append(ParseError(line_of(node), message))

    def count(self, *, branches: int = 0, calls: int = 0) -> None:
        """Count for the innermost definition; calls count for those around it too."""
        self.branches += branches
        if self._open:
            self._open[-1].branches += branches
        for one in self._open:
            one.calls += calls

    def open_lambda(self, node: Syntax) -> int:
        """Return a definition for a lambda."""
        around = self.around()
        around.lambdas += 1
        written = node.child_by_field_name("parameters")
        signature = normalize_layout(text_of(written), "//") if written is not None else "()"
        return self.open(node, "lambda", f"<lambda{around.lambdas}>", signature, "")

    def close(self) -> None:
        """End the innermost definition."""
        done = self._open.pop()
        made = self.made[done.index]
        if done.branches or done.calls:
            self.made[done.index] = msgspec.structs.replace(made, branches=done.branches, calls=done.calls)

    def open(
        self,
        node: Syntax,
        kind: str,
        name: str,
        signature: str,
        form: str,
        bases: Sequence[Syntax] = (),
        *,
        is_abstract: bool = False,
    ) -> int:
        """Open a definition, whose body follows; its index."""
        opened, identifier = self._opened(kind, name), node.child_by_field_name("name")
        self.made.append(
            Definition(
                key=opened.key,
                kind=kind,
                name=name,
                qualname=opened.qualname,
                parent=self.around().key,
                start_line=line_of(node),
                name_line=line_of(identifier if identifier is not None else node),
                end_line=node.end_point[0] + 1,
                signature=signature,
                docstring=_documentation(node) if kind != "lambda" and form != "anonymous class" else "",
                decorators=tuple(self._annotations(node)),
                bases=tuple(flat(text_of(one)) for one in bases),
                base_lines=tuple(map(line_of, bases)),
                indent=node.start_point[1],
                form=form,
                is_abstract=is_abstract
                or (form in ("", "class") and kind == "class" and "abstract" in modifiers_of(node)),
            )
        )
        self._open.append(opened)
        return opened.index

    def _opened(self, kind: str, name: str) -> OpenDefinition:
        """Return the next definition, within the innermost one; a number distinguishes those of one name."""
        around = self.around()
        qualname = f"{around.qualname}.{name}" if around.qualname else name
        number = self._keys[qualname] = self._keys.get(qualname, 0) + 1
        return OpenDefinition(len(self.made), qualname if number == 1 else f"{qualname}#{number}", qualname, kind)

    def _annotations(self, node: Syntax) -> Iterator[Decorator]:
        modifiers = first(node, "modifiers")
        for one in named(modifiers) if modifiers is not None else ():
            if one.type not in ("annotation", "marker_annotation"):
                continue
            name = one.child_by_field_name("name")
            written = one.child_by_field_name("arguments")
            text = text_of(name) if name is not None else ""
            head, dot, rest = text.partition(".")
            dotted = self.imported.get(head, head) + dot + rest
            arguments = text_of(written)[1:-1].strip() if written is not None else None
            yield Decorator(flat(text_of(one)[1:]), dotted, arguments)


def modifiers_of(node: Syntax) -> set[str]:
    """Return the modifiers of a declaration, `static` and the like."""
    written = first(node, "modifiers")
    return {child.type for child in written.children} if written is not None else set()


def flat(text: str) -> str:
    """Text on one line."""
    return _SPACE.sub(" ", text).strip()


def _documentation(node: Syntax) -> str:
    """Return the text of the comment `/** ... */` before a declaration."""
    before = node.prev_named_sibling
    if before is None or before.type != "block_comment":
        return ""
    text = text_of(before)
    return _STAR.sub("", text[3:-2]).strip() if text.startswith("/**") else ""


#: deeper nesting of syntax is skipped
MAX_NESTING: Final = 400


Read = TypeVar("Read")


class DepthCounter:
    """Counts the levels that are being read."""

    def __init__(self, definitions: DefinitionStack) -> None:
        self._definitions = definitions
        self._depth = 0

    def read(self, read: Callable[[Syntax], Read], node: Syntax) -> Read | None:
        """Read a node one level further down; None where that is too deep, which is recorded."""
        if self._depth >= MAX_NESTING:
            self._definitions.complain(node, f"nested deeper than {MAX_NESTING} levels: the rest was skipped")
            return None
        self._depth += 1
        found = read(node)
        self._depth -= 1
        return found
