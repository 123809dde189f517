"""A made-up language that proves the seam: functions, classes, calls, imports by path, and an outside world of its own.

use "./shapes" as shapes        ; a file next to this one, or `use "std" as std` for the outside world
class Circle : shapes.Shape     ; indentation nests, a class may name one base
  fn area(factor)               ; a function in a class receives `self`
    return self.scale(factor)
let round = new Circle(3)       ; names are bound by let, use, class, fn and parameters
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from repoquarry.languages import constraints as op
from repoquarry.languages import registry
from repoquarry.languages.constraints import ConstraintGraphBuilder
from repoquarry.languages.facts import Definition, FileFacts, Import, ParseError
from repoquarry.languages.family import Configuration, LanguageFamily, ModuleInfo, ModuleMap, PointsToConfig
from repoquarry.languages.language import CommentSyntax, Language, StackFrameSyntax, TestConventions

_LINE = re.compile(
    r'use "(?P<use>[^"]+)" as (?P<alias>\w+)|class (?P<class>\w+)(?: : (?P<base>[\w.]+))?|fn (?P<fn>\w+)\((?P<parameters>[\w, ]*)\)'
    r"|(?:let (?P<let>\w+) = |(?P<return>return ))?(?P<value>[\w.(), ]+)"
)
_RULES = (
    "name", "module", "self", "super", "class", "receiver", "constructor", "instance", "value", "callback", "partial", "property", "implicit",
    "named", "fixture", "hook", "implementation", "override", "abstract", "possible",
)  # fmt: skip
_TOKEN = re.compile(r"\w+|[.(),]")


class _Scope:
    """A file, class or function: the names that it binds."""

    def __init__(self, indent: int, owner: int, outer: _Scope | None, *, is_class: bool = False) -> None:
        self.indent, self.owner, self.outer, self.is_class = indent, owner, outer, is_class
        self.names: dict[str, int] = {}

    def find(self, name: str) -> int | None:
        """Class bodies bind attributes: code inside does not see them as names."""
        if name in self.names and not self.is_class:
            return self.names[name]
        return self.outer.find(name) if self.outer else None


class _Extractor:
    def __init__(self, path: str) -> None:
        self.path = path
        self.graph = ConstraintGraphBuilder()
        self.definitions: list[Definition] = []
        self.imports: list[Import] = []
        self.errors: list[ParseError] = []
        self.records: list[list[int]] = []
        self.scope = _Scope(-1, -1, None)

    def read(self, lines: Sequence[str]) -> FileFacts:
        for number, line in enumerate(lines, 1):
            text = line.split(";")[0].rstrip()
            match = _LINE.fullmatch(text.strip())
            indent = len(text) - len(text.lstrip())
            while text and indent <= self.scope.indent and self.scope.outer:
                self.scope = self.scope.outer
            if match:
                self._statement(match, number, indent)
            elif text:
                self.errors.append(ParseError(number, "syntax error"))
        self.graph.functions = [[len(record) + 1, *record] for record in self.records]
        return FileFacts(
            path=self.path, language="toy", encoding="utf-8", loc=len(lines), module_name=PurePosixPath(self.path).stem, is_package=False,
            is_stub=False, docstring="", branches=0, deepest_indent=0, definitions=tuple(self.definitions), imports=tuple(self.imports),
            exports=None, entry_points=(), parse_errors=tuple(self.errors), graph=self.graph.finish(),
        )  # fmt: skip

    def _statement(self, match: re.Match[str], line: int, indent: int) -> None:
        if match["use"]:
            self.imports.append(Import(match["use"], "", match["alias"], 0, line, True, "import"))
            self._bind(match["alias"], self.graph.value(op.IMPORT, self.graph.symbol(match["use"]), 1))
        elif match["class"]:
            base = [self._expression(_TOKEN.findall(match["base"]), line)] if match["base"] else []
            self._open("class", match["class"], line, indent, match["base"])
            self.records.append([op.CLASS, len(base), *base, 0, 0])
        elif match["fn"]:
            self._function(match, line, indent)
        else:
            value = self._expression(_TOKEN.findall(match["value"]), line)
            if match["let"]:
                self._bind(match["let"], value)
            elif match["return"]:
                self.graph.assign(self.records[self.scope.owner][2], op.COPY, value)

    def _function(self, match: re.Match[str], line: int, indent: int) -> None:
        is_method = self.scope.is_class
        self._open("method" if is_method else "function", match["fn"], line, indent, None)
        names = ["self"] * is_method + [name.strip() for name in match["parameters"].split(",") if name.strip()]
        self.scope.names.update({name: self.graph.variable() for name in names})
        given = [number for name in names for number in (self.graph.symbol(name), self.scope.names[name], op.PLAIN)]
        result, yielded = self.graph.variable(), self.graph.variable()
        self.records.append([op.FUNC, op.METHOD * is_method, result, yielded, -1, len(names), *given])

    def _open(self, kind: str, name: str, line: int, indent: int, base: str | None) -> None:
        number, outer = len(self.definitions), self.definitions[self.scope.owner] if self.scope.owner >= 0 else None
        qualname = f"{outer.qualname}.{name}" if outer else name
        self._bind(name, self.graph.value(op.CLASS if kind == "class" else op.FUNC, number))
        self.definitions.append(
            Definition(
                key=qualname, kind=kind, name=name, qualname=qualname, parent=outer.key if outer else "", start_line=line, name_line=line,
                end_line=line, signature="", docstring="", decorators=(), bases=(base,) if base else (), branches=0, indent=indent, calls=0,
                is_async=False, is_generator=False,
            )
        )  # fmt: skip
        self.scope = _Scope(indent, number, self.scope, is_class=kind == "class")

    def _bind(self, name: str, variable: int) -> None:
        self.scope.names[name] = variable
        if self.scope.owner < 0 or self.scope.is_class:
            self.graph.scopes += (self.scope.owner, self.graph.symbol(name), variable)

    def _expression(self, tokens: list[str], line: int) -> int:
        """Reads `new? name (. name | ( arguments ))*` from the front of the tokens."""
        if tokens[0] == "new":
            tokens.pop(0)
        name = tokens.pop(0)
        known = self.scope.find(name)
        value = known if known is not None else self.graph.value(op.NAME, self.graph.symbol(name))
        while tokens and tokens[0] in ".(":
            if tokens.pop(0) == ".":
                name = tokens.pop(0)
                value = self.graph.value(op.ATTR, value, self.graph.symbol(name), line, self.scope.owner)
                continue
            arguments: list[int] = []
            while tokens[0] != ")":
                arguments += (op.POSITIONAL, self._expression(tokens, line))
                if tokens[0] == ",":
                    tokens.pop(0)
            tokens.pop(0)
            value = self.graph.call(value, line, self.scope.owner, 0, self.graph.symbol(name), arguments)
        return value


def extract(path: str, source: bytes) -> FileFacts:
    return _Extractor(path).read(source.decode(errors="replace").splitlines())


def find_modules(files: Sequence[FileFacts], configuration: Configuration, _roots: Sequence[str] | None) -> ModuleMap:
    """`./name` is a file next to the importing one, `name` a file of the stubs or of `paths.toyconfig`: lines `name = folder/file`."""
    numbers = {facts.path: number for number, facts in enumerate(files)}
    aliases = dict(
        line.split(" = ") for text in configuration.values() for line in text.decode().splitlines() if " = " in line
    )
    targets: dict[tuple[int, str, int], int | str | None] = {}
    for number, facts in enumerate(files):
        for entry in facts.imports:
            name = aliases.get(entry.module, entry.module)
            relative = (PurePosixPath(facts.path).parent / name).as_posix()
            path = relative if name.startswith("./") else name if name in aliases.values() else f"/{name}"
            targets[number, entry.module, 0] = numbers.get(f"{path}.toy")
    infos = [
        ModuleInfo(facts.path, facts.path.removesuffix(".toy").strip("/").replace("/", "."), "", False)
        for facts in files
    ]
    return ModuleMap(infos, targets)


TOY = Language(
    name="toy",
    extract=extract,
    family=LanguageFamily(
        name="toy",
        modules=find_modules,
        method=PointsToConfig(protocols={"initialise": "init", "builtins": "toy"}, tables=lambda: {"builtins": ("print",)}),
        rules=dict.fromkeys(_RULES, (0.9, 0.8, 0.7, 0.6)),
        stubs=str(Path(__file__).parent / "stubs"),
    ),
    comments=CommentSyntax(line=(";",)),
    tests=TestConventions(files=("*_test.toy",)),
    frames=(StackFrameSyntax(re.compile(r"(?P<path>\S+\.toy) at (?P<line>\d+)")),),
)  # fmt: skip

LANGUAGES = (TOY,)


@contextmanager
def toy_language() -> Iterator[None]:
    """The toy language, known inside as any other is: by a line in the table."""
    registry.LANGUAGES["tests.toylang"] = registry.LanguageEntry({"toy": (".toy",)}, configuration=("*.toyconfig",))
    registry.reload()
    try:
        yield
    finally:
        del registry.LANGUAGES["tests.toylang"]
        registry.reload()
