"""Declares the classes of a program with their members, those that the language adds included, and finds classes by full name."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from repoquarry.languages.facts import FileFacts
from repoquarry.languages.java import tree
from repoquarry.languages.java.attribution.elements import ClassInfo, Field, Method, Names, variables_of
from repoquarry.languages.java.tree import Node

_STUBS = "/"


class Declarations:
    """All classes; types in their headers are read later."""

    def __init__(self, files: Sequence[FileFacts]) -> None:
        self.files = files
        self.starts: list[int] = []
        """Symbol of each file."""
        self.classes: list[ClassInfo] = []
        self.packages: set[str] = set()
        """Packages of which the program has a class."""
        self._by_name: dict[str, list[ClassInfo]] = {}
        self._local: dict[int, ClassInfo] = {}
        count = 0
        for unit, facts in enumerate(files):
            self.starts.append(count)
            count += 1 + len(facts.definitions)
            for node in msgspec.msgpack.decode(facts.own) if facts.own else ():
                self.declare(node, unit, None, Names(None))
        self.object = self.named("java.lang.Object", 0)

    def declare(
        self, node: Node, unit: int, outer: ClassInfo | None, names: Names, *, is_local: bool = False
    ) -> ClassInfo:
        """A class and those in it; their headers are read later. A local class is made once, however often it is met."""
        if is_local and id(node) in self._local:
            return self._local[id(node)]
        package = self.files[unit].namespace
        around = outer.full if outer is not None else package
        full = f"{around}.{node[2]}" if around else node[2]
        own = Names(names)
        is_static = bool(node[11]) or (outer is not None and outer.is_interface)
        made = ClassInfo(node[2], full, node[1], unit, self.starts[unit] + 1 + node[0], outer, node, own, is_static)
        made.variables = variables_of(node[3], own)
        if outer is not None and made.kind == "class" and not is_local and not made.is_static:
            made.variables += outer.variables  # what is around an inner class is of certain arguments as well
        self.classes.append(made)
        if is_local:
            self._local[id(node)] = made
        else:
            self._by_name.setdefault(full, []).append(made)
            if outer is None:
                self.packages.add(package)
        for one in node[9]:
            inner = self.declare(one, unit, made, own, is_local=is_local)
            made.inner.setdefault(inner.name, inner)
        self._declare_members(made, node)
        return made

    def _declare_members(self, made: ClassInfo, node: Node) -> None:
        start = self.starts[made.unit] + 1
        for name, _, _, _ in node[10]:
            made.fields.setdefault(name, Field(made, name, [made.name, None, 0], True, is_final=True))
        for name, written, is_static, value, _, is_final in node[6]:
            made.fields.setdefault(name, Field(made, name, written, is_static, value, is_final))
        for name, written in node[13] or ():
            made.fields.setdefault(name, Field(made, name, written, False, is_final=True))
        for one in node[7]:
            method = Method(made, one[1], one[5], start + one[0], one)
            if made.is_interface and not one[5] & (tree.STATIC | tree.DEFAULT | tree.PRIVATE):
                method.flags |= tree.ABSTRACT
            made.methods.setdefault("<init>" if one[5] & tree.CONSTRUCTOR else one[1], []).append(method)
        self._declare_implied(made, node)

    def _declare_implied(self, made: ClassInfo, node: Node) -> None:
        """Members that the language adds: accessors and constructor of a record, `values` and `valueOf` of an enumeration."""
        if node[13] is not None:
            written = [[name, type_] for name, type_ in node[13]]
            if not any(len(one.node[3]) == len(written) for one in made.methods.get("<init>", ())):
                made.methods.setdefault("<init>", []).append(_implied(made, "<init>", written, None, tree.CONSTRUCTOR))
            for name, type_ in node[13]:
                if not any(not one.node[3] for one in made.methods.get(name, ())):
                    made.methods.setdefault(name, []).append(_implied(made, name, [], type_, 0))
        if made.kind == "enum":
            own = [made.name, None, 0]
            text = ["String", None, 0]
            made.methods.setdefault("values", []).append(
                _implied(made, "values", [], [made.name, None, 1], tree.STATIC)
            )
            made.methods.setdefault("valueOf", []).append(_implied(made, "valueOf", [["name", text]], own, tree.STATIC))

    def is_stub(self, cls: ClassInfo) -> bool:
        """Whether a class stands outside the repository."""
        return self.files[cls.unit].path.startswith(_STUBS)

    def named(self, full: str, unit: int) -> ClassInfo | None:
        """The class of that full name; of several, the one whose file lies nearest."""
        found = self._by_name.get(full)
        if not found:
            return None
        if len(found) == 1:
            return found[0]
        path = self.files[unit].path
        return max(found, key=lambda one: _shared(path, self.files[one.unit].path))


def _implied(cls: ClassInfo, name: str, parameters: list[Node], result: Node | None, flags: int) -> Method:
    """A member that is written nowhere: calls of it reach its class."""
    return Method(cls, name, flags, cls.symbol, [-1, name, [], parameters, result, flags, None, cls.node[12]])


def _shared(left: str, right: str) -> int:
    """Number of folders at the beginning that two paths share."""
    count = 0
    for one, other in zip(left.split("/"), right.split("/"), strict=False):
        if one != other:
            break
        count += 1
    return count
