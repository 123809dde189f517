"""Build constraints of Go files: the systems whose builds compile a file."""

from __future__ import annotations

import re
from collections.abc import Set

from repoquarry.languages.structural.rules import words

_SYSTEMS = words(
    """aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos"""
)
_PROCESSORS = words(
    """386 amd64 amd64p32 arm arm64 arm64be armbe loong64 mips mips64 mips64le mips64p32 mips64p32le mipsle ppc ppc64 ppc64le riscv
    riscv64 s390 s390x sparc sparc64 wasm"""
)
_UNIX = _SYSTEMS - {"js", "nacl", "plan9", "wasip1", "windows", "zos"}
_ORDER = ("linux", "darwin", "windows", *sorted(_SYSTEMS - {"linux", "darwin", "windows"}))
_ALWAYS = frozenset({"amd64", "gc", "cgo"})
_RELEASE = re.compile(r"go1\.\d+")
_CONSTRAINT = re.compile(r"^//go:build\s+(.+)$|^// \+build\s+(.+)$")
_TOKEN = re.compile(r"&&|\|\||[!()]|[\w.]+")


def find_constraint(source: bytes) -> str:
    """Return the expression of `//go:build` at the top of a file; empty for none."""
    older = []
    for line in source[:4096].decode("utf-8", "replace").splitlines():
        text = line.strip()
        if text.startswith("package "):
            break
        if match := _CONSTRAINT.match(text):
            if match[1]:
                return match[1]
            groups = ("&&".join(part.split(",")) for part in match[2].split())
            older.append("(" + ")||(".join(groups) + ")")
    return "&&".join(f"({one})" for one in older)


def find_system(path: str, constraint: str) -> str:
    """Return the first system, Linux before all others, whose build compiles a file; that of Linux where none does."""
    if not constraint and "_" not in path.rpartition("/")[2]:
        return "linux"
    return next((one for one in _ORDER if is_in_build(path, constraint, one)), "linux")


def is_in_build(path: str, constraint: str, system: str) -> bool:
    """Return whether a file is compiled for a system, on its usual processor."""
    parts = path.rpartition("/")[2].removesuffix(".go").removesuffix("_test").split("_")[1:][-2:]
    if parts and parts[-1] in _PROCESSORS:
        if parts[-1] not in _ALWAYS:
            return False
        parts.pop()
    if parts and parts[-1] in _SYSTEMS and parts[-1] != system:
        return False
    if not constraint:
        return True
    tags = _ALWAYS | {system} | ({"unix"} if system in _UNIX else set())
    return _BuildExpression(constraint, tags).value()


class _BuildExpression:
    """Reader of a `//go:build` expression for given tags."""

    def __init__(self, constraint: str, tags: Set[str]) -> None:
        self._words = [*reversed(_TOKEN.findall(constraint))]
        self._tags = tags

    def value(self) -> bool:
        """Return the value of alternatives; missing words are false."""
        found = self._all()
        while self._words and self._words[-1] == "||":
            self._words.pop()
            found = self._all() or found
        return found

    def _all(self) -> bool:
        found = self._single()
        while self._words and self._words[-1] == "&&":
            self._words.pop()
            found = self._single() and found
        return found

    def _single(self) -> bool:
        word = self._words.pop() if self._words else ""
        if word == "!":
            return not self._single()
        if word == "(":
            found = self.value()
            if self._words:
                self._words.pop()
            return found
        return word in self._tags or _RELEASE.fullmatch(word) is not None
