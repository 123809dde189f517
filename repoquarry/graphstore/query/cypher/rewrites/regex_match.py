"""Rewrite of the operator `=~`: translates a regular expression of Java, as on Neo4j, to the syntax of Rust for the embedded engine.

Only constructs with an equivalent spelling pass: classes such as `\\d` are Java's ASCII ones, spelled out, and `(?i)` folds ASCII letters
only, spelled out as well. Look-around, back-references and possessive quantifiers do not exist in Rust.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.dialect import RewriteContext
from repoquarry.graphstore.query.cypher.regex_backtracking import MAX_PATTERN_CHARACTERS
from repoquarry.graphstore.query.cypher.syntax import ast, visitor
from repoquarry.graphstore.query.cypher.syntax.tokenizer import refuse

_CLASSES = {
    "d": "0-9",
    "w": "a-zA-Z0-9_",
    "s": " \\t\\n\\x0B\\f\\r",
}
_PLAIN_ESCAPES = frozenset("\\.[]{}()*+?^$|-/\"'`~!@#%&=:;<>, _tnrf")
_OF_RUST_ONLY = re.compile(r"\\x\{\w+\}|\\p\{\w+\}|\(\?-u:\\b\)")
"""Spellings that Python, which checks whether a pattern compiles, does not support."""

_FLAGS = re.compile(r"\(\?(i|s|is|si)\)")
_CATEGORIES = re.compile(r"\\p\{(L|Lu|Ll|Nd)\}")
"""Unicode categories that both engines spell and read alike; without `(?i)`, which changes them on one engine only."""

_RANGE = re.compile(r"([a-zA-Z0-9])-([a-zA-Z0-9])")


class UnsupportedRegexError(ValueError):
    """Pattern with a construct that the other engine reads differently; the message names it."""


def translate_regex(pattern: str) -> str:
    """Translate a pattern to Rust's syntax. Raises: UnsupportedRegexError."""
    flags = _FLAGS.match(pattern)
    given = flags[1] if flags else ""
    return _Translation(pattern[flags.end() :] if flags else pattern, fold="i" in given, every="s" in given).run()


class _Translation:
    def __init__(self, pattern: str, *, fold: bool, every: bool) -> None:
        self.pattern = pattern
        self.fold = fold
        self.every = every
        self.at = 0

    def run(self) -> str:
        out: list[str] = []
        while self.at < len(self.pattern):
            char = self.pattern[self.at]
            if char == "\\":
                out.append(self._escape(inside=False))
            elif char == "[":
                out.append(self._class())
            elif char == "(":
                out.append(self._group())
            elif char in "*+?}":
                out.append(char)
                self.at += 1
                if self.pattern[self.at : self.at + 1] == "+":
                    raise UnsupportedRegexError("possessive quantifiers")
            elif char == ".":
                out.append("(?s:.)" if self.every else "[^\\n\\r\\x{85}\\x{2028}\\x{2029}]")  # Java's line terminators.
                self.at += 1
            elif char == "$" and self.at != len(self.pattern) - 1:
                raise UnsupportedRegexError("'$' before the end")
            else:
                out.append(self._letter(char))
                self.at += 1
        text = "".join(out)
        try:
            re.compile(_OF_RUST_ONLY.sub("x", text))
        except re.error as error:
            raise UnsupportedRegexError(f"a pattern that does not compile ({error})") from None
        return text

    def _letter(self, char: str) -> str:
        if self.fold and not char.isascii():
            return char
        return f"[{char.lower()}{char.upper()}]" if self.fold and char.isalpha() else char

    def _escape(self, *, inside: bool) -> str:
        code = self.pattern[self.at + 1 : self.at + 2]
        self.at += 2
        if code.lower() in _CLASSES and code:
            negated = code.isupper()
            if inside and negated:
                raise UnsupportedRegexError(f"\\{code} inside brackets")
            body = _CLASSES[code.lower()]
            return body if inside else f"[{'^' if negated else ''}{body}]"
        if code == "Q" and not inside:
            return self._quoted()
        category = _CATEGORIES.match(self.pattern, self.at - 2)
        if category and not self.fold:
            self.at = category.end()
            return category[0]
        if code == "b" and not inside:
            return "(?-u:\\b)"
        if not code or code not in _PLAIN_ESCAPES:
            raise UnsupportedRegexError(f"the escape \\{code}")
        return "\\" + code if code in "tnrf" or not (code.isalnum() or code in "_ \"'`/,;:<>=!@%") else code

    def _quoted(self) -> str:
        end = self.pattern.find("\\E", self.at)
        text = self.pattern[self.at : end if end >= 0 else len(self.pattern)]
        self.at = end + 2 if end >= 0 else len(self.pattern)
        return "".join(self._letter(char) if char.isalnum() else re.escape(char) for char in text)

    def _class(self) -> str:
        end = self._class_end()
        body = self.pattern[self.at + 1 : end]
        if "[" in body or "&&" in body:
            raise UnsupportedRegexError("brackets inside brackets")
        self.at += 1
        out = ["["]
        if self.pattern[self.at] == "^":
            out.append("^")
            self.at += 1
        while self.at < end:
            char = self.pattern[self.at]
            if char == "\\":
                out.append(self._escape(inside=True))
                continue
            match = _RANGE.match(self.pattern, self.at)
            if match and self.fold and match.end() <= end:
                out.append(_folded_range(match.group(1), match.group(2)))
                self.at = match.end()
                continue
            out.append(char.lower() + char.upper() if self.fold and char.isascii() and char.isalpha() else char)
            self.at += 1
        self.at = end + 1
        return "".join(out) + "]"

    def _class_end(self) -> int:
        at = self.at + 1
        while at < len(self.pattern) and self.pattern[at] != "]":
            at += 2 if self.pattern[at] == "\\" else 1
        if at >= len(self.pattern) or at == self.at + 1:
            raise UnsupportedRegexError("a bracket that is never closed or empty")
        return at

    def _group(self) -> str:
        opened = self.pattern[self.at : self.at + 3]
        self.at += 1
        if opened.startswith("(?"):
            if opened != "(?:":
                raise UnsupportedRegexError(f"the group {opened}...")
            self.at += 2
            return "(?:"
        return "("


def _folded_range(low: str, high: str) -> str:
    if (low + high).isascii() and low.isdecimal() and high.isdecimal():
        return f"{low}-{high}"
    if (low.islower() and high.islower()) or (low.isupper() and high.isupper()):
        return f"{low.lower()}-{high.lower()}{low.upper()}-{high.upper()}"
    raise UnsupportedRegexError(f"the range {low}-{high} without regard to case")


def is_match(node: ast.Binary, context: RewriteContext) -> bool:
    return node.operator == "=~"


def translate_match(written: ast.Binary, node: ast.Binary, context: RewriteContext) -> ast.Node:
    """Translate the pattern of `x =~ pattern`; it must consist of literals and parameters."""
    if isinstance(written.right, ast.Literal) and isinstance(written.right.value, str):
        try:
            return dataclasses.replace(node, right=ast.Literal(f"(?:{translate_regex(written.right.value)})"))
        except UnsupportedRegexError as error:
            raise _unportable(context, written.right, str(error)) from None
    if written.right == ast.Literal(None):
        return visitor.NULL
    if not is_constant(written.right):
        raise _unportable(context, written.right, "a pattern made of values from the graph")
    name = context.new_name()
    context.patterns[name] = written.right
    return dataclasses.replace(node, right=ast.Parameter(name))


def is_constant(node: ast.Expression) -> bool:
    """Return whether a pattern consists of literals and parameters only."""
    if isinstance(node, ast.Binary):
        return node.operator == "+" and is_constant(node.left) and is_constant(node.right)
    return isinstance(node, ast.Parameter) or (isinstance(node, ast.Literal) and isinstance(node.value, str))


def _unportable(context: RewriteContext, node: ast.Node, what: str) -> QueryRefusedError:
    return refuse(
        context.text,
        max(node.start, 0),
        "regular_expression",
        f"A regular expression with {what} is refused on this engine. "
        "Use STARTS WITH, ENDS WITH, CONTAINS, or a plainer pattern",
    )


def translate_pattern_parameters(
    patterns: Mapping[str, ast.Expression], parameters: Mapping[str, Value], text: str
) -> dict[str, Value]:
    """Translate patterns by the names of their parameters. Raises: QueryRefusedError `regular_expression`."""
    values: dict[str, Value] = {}
    for name, expression in patterns.items():
        found = evaluate_constant_text(expression, parameters)
        try:
            values[name] = f"(?:{translate_regex(found)})" if found is not None else None
        except UnsupportedRegexError as error:
            raise refuse(
                text, max(expression.start, 0), "regular_expression",
                f"A regular expression with {error} is refused on this engine",
            ) from None  # fmt: skip
    return values


def evaluate_constant_text(node: ast.Expression, parameters: Mapping[str, Value]) -> str | None:
    """Return the text of a pattern of literals and parameters; None if a part is not a string.

    A text longer than the limit of a pattern is truncated: `$p + $p + $p` could take any memory.
    """
    parts: list[str] = []
    size, waiting = 0, [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Binary):
            waiting += [part.right, part.left]
            continue
        value = parameters.get(part.name) if isinstance(part, ast.Parameter) else getattr(part, "value", None)
        if not isinstance(value, str):
            return None
        parts.append(value[: MAX_PATTERN_CHARACTERS + 1 - size])
        size += len(parts[-1])
    return "".join(parts)
