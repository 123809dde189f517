"""JavaScript and TypeScript: one source file -> its facts, by tree-sitter.

Both are one family: their files import each other and are resolved together. The walk visits each node about once and writes operations
of the assignment graph as it goes; `walk` lists the parts that read the constructs of the language.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tree_sitter import Node

from repoquarry.languages.facts import FileFacts
from repoquarry.languages.javascript.components import plain
from repoquarry.languages.javascript.family import FAMILY
from repoquarry.languages.javascript.grammar import parse
from repoquarry.languages.javascript.reader import Reader
from repoquarry.languages.javascript.walk import Walk
from repoquarry.languages.language import Comments, Frames, Language, Tests

#: Deepest nesting of syntax that is followed. Frames of Python functions live on the heap, so this costs memory, not stack.
MAX_NESTING = 60_000
#: more broken places than this are not listed one by one
MAX_PARSE_ERRORS = 20

_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
_TYPED = (".ts", ".tsx", ".mts", ".cts")
_INDEX = "index"
_FRAME = re.compile(
    r"^\s*at (?:async |new )?(?:(?P<function>[\w$.<>]+) (?:\[as \w+\] )?)?\(?(?:file://)?(?P<path>[^\s()]{1,300}\.[cm]?[jt]sx?):(?P<line>\d+)(?::\d+)?\)?"
)
#: suffix of single-file components -> their language
_COMPONENTS = {".vue": "vue", ".svelte": "svelte"}


def extract(path: str, source: bytes) -> FileFacts:
    """The facts of one file. Never raises on bad input: see `FileFacts.parse_errors`."""
    text, encoding = _decoded(source)
    suffix = f".{path.rpartition('.')[2].lower()}"
    code = text
    if suffix in _COMPONENTS:
        code, suffix = plain(suffix, text)
    tree, grammar = parse(suffix, code)
    reader = Reader(path, code, grammar)
    walk = Walk(reader)
    root = tree.root_node
    if root.has_error:
        _broken_places(root, reader)
    with _deep_recursion():
        try:
            walk.program(root)
        except RecursionError:
            reader.complain(root, f"nested deeper than {MAX_NESTING} levels: what follows was left out")
        walk.finish()
    return _facts(path, text, encoding, walk)


def _decoded(source: bytes) -> tuple[bytes, str]:
    """`source` as UTF-8, and the encoding that it has."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if source.startswith(mark):
            return source.decode(encoding, "replace").encode(), encoding
    try:
        source.decode()
    except UnicodeDecodeError:
        return source.decode("latin-1").encode(), "latin-1"
    return source, "utf-8"


def _language(file: str) -> str:
    component = _COMPONENTS.get(f".{file.rpartition('.')[2].lower()}")
    return component or ("typescript" if file.lower().endswith(_TYPED) else "javascript")


def _facts(path: str, text: bytes, encoding: str, walk: Walk) -> FileFacts:
    reader = walk.reader
    folder, _, file = path.rpartition("/")
    stem = file.rsplit(".", 1)[0]
    is_stub = file.endswith(_DECLARATIONS)
    if is_stub:
        stem = stem.removesuffix(".d")
    return FileFacts(
        path=path,
        language=_language(file),
        encoding=encoding,
        loc=text.count(b"\n") + (1 if text and not text.endswith(b"\n") else 0),
        module_name=folder.rpartition("/")[2] if stem == _INDEX else stem,
        is_package=stem == _INDEX,
        is_stub=is_stub,
        docstring="",
        branches=reader.total_branches,
        deepest_indent=max((definition.indent for definition in reader.definitions), default=0),
        definitions=tuple(reader.definitions),
        imports=tuple(reader.imports),
        exports=walk.exports,
        entry_points=tuple(reader.entry_points),
        parse_errors=tuple(sorted(reader.errors, key=lambda error: (error.line, error.message))),
        graph=reader.graph.finish(),
    )


def _broken_places(root: Node, reader: Reader) -> None:
    """Lists what the grammar could not read."""
    pending = [root]
    while pending and len(reader.errors) < MAX_PARSE_ERRORS:
        node = pending.pop()
        if node.is_missing:
            reader.complain(node, f"syntax error: {node.type} expected")
        elif node.is_error:
            reader.complain(node, "syntax error")
        elif node.has_error:
            pending.extend(reversed(node.children))


@contextmanager
def _deep_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, MAX_NESTING))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


_COMMENTS = Comments(line=("//",), block=(("/*", "*/"),), documentation=("/**",))

_TESTS = Tests(
    files=("*.test.*", "*.spec.*", "*_test.*", "*-test.*", "*.stories.*"),
    folders=(
        *("__tests__/**", "**/__tests__/**", "__mocks__/**", "**/__mocks__/**", "cypress/**", "e2e/**"),
        *("test/**", "tests/**", "spec/**", "**/test/**", "**/tests/**"),
    ),
)
_FRAMES = (Frames(_FRAME),)
_KNOWN = frozenset({"index", "main", "server", "app"})

JAVASCRIPT = Language(
    name="javascript",
    extract=extract,
    family=FAMILY,
    comments=_COMMENTS,
    tests=_TESTS,
    frames=_FRAMES,
    ecosystem="npm",
    known_files=_KNOWN,
)
TYPESCRIPT = Language(
    name="typescript",
    extract=extract,
    family=FAMILY,
    comments=_COMMENTS,
    tests=_TESTS,
    frames=_FRAMES,
    ecosystem="npm",
    known_files=_KNOWN,
)

_MARKUP = Comments(line=("//",), block=(("<!--", "-->"), ("/*", "*/")), documentation=("/**",))
VUE = Language(
    name="vue",
    extract=extract,
    family=FAMILY,
    comments=_MARKUP,
    tests=_TESTS,
    frames=_FRAMES,
    ecosystem="npm",
    known_files=_KNOWN,
)
SVELTE = Language(
    name="svelte",
    extract=extract,
    family=FAMILY,
    comments=_MARKUP,
    tests=_TESTS,
    frames=_FRAMES,
    ecosystem="npm",
    known_files=_KNOWN,
)

LANGUAGES = (JAVASCRIPT, TYPESCRIPT, VUE, SVELTE)
