"""Access paths of models: from the text of a model file to steps of `FrameworkModels` in the kernel.

`instance(argument[0, to])` becomes `argument:0|to instance`: values are pushed on a stack, functions replace its top. The words of paths
are listed in docs/guides/models.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final


class ModelPathError(ValueError):
    """Invalid path; the message says where."""


LEAVES: Final = ("receiver", "value", "owner", "element")
"""Values that a site has, besides its arguments."""
UNARY: Final = {
    "instance": "instance", "class": "class", "held": "held", "hold": "hold", "each": "each", "awaited": "await", "typed": "typed",
    "members": "members", "resolved": "resolved", "list": "container:list", "promise": "container:awaitable",
}  # fmt: skip
"""Function of one path -> its step."""
_WORD, _NAME, _KEY, _TEXT = (
    re.compile(one) for one in (r"[A-Za-z_$][\w$]*", r"[\w$@][\w$@/.:-]*", r"[\w$]+", r'"[\w$]*"')
)


def compile_path(text: str) -> list[str]:
    """Compile a path to steps that leave its value on the stack; `this`, `add`, `keep`, `apply` and `set` leave none.

    Raises: ModelPathError.
    """
    return _Parser(text).parse()


class _Parser:
    """Parser by recursive descent."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._functions: dict[str, Callable[[], list[str]]] = {
            "of": self._of,
            "new": lambda: [f"new:{self._take(_NAME, 'a name')}"],
            "external": lambda: [f"external:{self._take(_NAME, 'a name')}"],
            "kept": self._kept,
            "apply": self._apply,
            "keep": self._keep,
            "set": self._set,
            "merge": self._merge,
            "property": self._property,
            "item": self._item,
            "later": self._later,
            "this": self._this,
            "add": self._add,
        }

    def parse(self) -> list[str]:
        steps = self._path()
        if self._rest():
            raise self._error("the end")
        return steps

    def _rest(self) -> str:
        return self._text[self._at :].lstrip()

    def _error(self, expected: str) -> ModelPathError:
        found = repr(self._rest()[0]) if self._rest() else "the end"
        return ModelPathError(f"expected {expected} instead of {found} in {self._text!r}")

    def _has(self, mark: str) -> bool:
        """Take a mark if it comes next."""
        if not self._rest().startswith(mark):
            return False
        self._at = len(self._text) - len(self._rest()) + len(mark)
        return True

    def _expect(self, mark: str) -> None:
        if not self._has(mark):
            raise self._error(repr(mark))

    def _take(self, pattern: re.Pattern[str], expected: str) -> str:
        start = len(self._text) - len(self._rest())
        match = pattern.match(self._text, start)
        if match is None:
            raise self._error(expected)
        self._at = match.end()
        return match[0]

    def _path(self) -> list[str]:
        steps = self._primary(self._take(_WORD, "a path"))
        while True:
            if self._has("."):
                steps.append(f"attribute:{self._take(_KEY, 'a name')}")
            elif self._has("("):
                steps += self._arguments()
            else:
                return steps

    def _primary(self, word: str) -> list[str]:
        if word == "argument":
            self._expect("[")
            keys = [self._take(_KEY, "a position or a keyword")]
            while self._has(","):
                keys.append(self._take(_KEY, "a position or a keyword"))
            self._expect("]")
            return [f"argument:{'|'.join(keys)}"]
        if word in LEAVES:
            return [word]
        if word not in self._functions and word not in UNARY:
            known = ", ".join(sorted({*LEAVES, *UNARY, *self._functions, "argument"}))
            raise ModelPathError(f"unknown word {word!r} in {self._text!r}; known: {known}")
        self._expect("(")
        steps = self._functions[word]() if word in self._functions else [*self._path(), UNARY[word]]
        self._expect(")")
        return steps

    def _arguments(self) -> list[str]:
        """Parse the arguments of a call: paths, `name=path`, or `*` and `*1` for those of the site."""
        if self._has("*"):
            skipped = "0" if self._has(")") else self._take(_KEY, "a number")
            if not self._text[: self._at].endswith(")"):
                self._expect(")")
            return [f"call:*{skipped}"]
        steps, count, keywords = list[str](), 0, list[str]()
        while not self._has(")"):
            keyword = re.match(r"([\w$]+)\s*=", self._rest())
            if keyword is not None:
                keywords.append(keyword[1])
                self._expect(keyword[0])
            elif keywords:
                raise self._error("a keyword argument")
            else:
                count += 1
            steps += self._path()
            if not self._rest().startswith(")"):
                self._expect(",")
        return [*steps, f"call:{count}" + (f":{','.join(keywords)}" if keywords else "")]

    def _of(self) -> list[str]:
        name = self._take(_NAME, "a name")
        self._expect(",")
        return [*self._path(), f"of:{name}"]

    def _kept(self) -> list[str]:
        name = self._take(_NAME, "a name")
        return [*self._path(), f"kept-by:{name}"] if self._has(",") else [f"kept:{name}"]

    def _apply(self) -> list[str]:
        name = self._take(_NAME, "a name")
        self._expect(",")
        return [*self._path(), f"apply:{name}"]

    def _keep(self) -> list[str]:
        name = self._take(_NAME, "a name")
        self._expect(",")
        value = self._path()
        return [*value, *self._path(), f"keep-by:{name}"] if self._has(",") else [*value, f"keep:{name}"]

    def _set(self) -> list[str]:
        steps = self._path()
        self._expect(",")
        name = self._take(_KEY, "a name")
        self._expect(",")
        return [*steps, *self._path(), f"set:{name}"]

    def _property(self) -> list[str]:
        name = self._take(_KEY, "a name")
        self._expect(",")
        return [*self._path(), f"property:{name}"]

    def _item(self) -> list[str]:
        steps = self._path()
        self._expect(",")
        return [*steps, f"item:{self._take(_KEY, 'a key')}"]

    def _merge(self) -> list[str]:
        steps, count = self._path(), 1
        while self._has(","):
            steps += self._path()
            count += 1
        return [*steps, f"merge:{count}"]

    def _later(self) -> list[str]:
        steps = self._path()
        if not steps[-1].startswith("call:"):
            raise ModelPathError(f"`later` needs a call in {self._text!r}")
        return [*steps[:-1], "later:" + steps[-1].removeprefix("call:")]

    def _this(self) -> list[str]:
        functions = self._path()
        self._expect(",")
        return [*functions, *self._path(), "this"]

    def _add(self) -> list[str]:
        """Parse `add(class, name, "_set", value)`: the name is a path; without it, the class of the site and the text."""
        steps = self._path()
        self._expect(",")
        steps += self._path()
        self._expect(",")
        ending = "!"
        if self._rest().startswith('"'):
            ending = self._take(_TEXT, "a text in quotes").strip('"')
            self._expect(",")
        return [*steps, *self._path(), f"add:{ending}"]
