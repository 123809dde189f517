"""One file of JavaScript, TypeScript or a single-file component -> its facts.

The walk visits each node about once and writes operations of the assignment graph as it goes; `walk` lists the parts that read the constructs of
the language.
"""

from __future__ import annotations

from repoquarry.languages.encoding import as_utf8
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.javascript.components import plain
from repoquarry.languages.javascript.grammar import parse
from repoquarry.languages.javascript.reader import Reader
from repoquarry.languages.javascript.walk import TYPED, Walk
from repoquarry.languages.syntax import broken_places, deep_recursion

#: deepest nesting of syntax that is followed
MAX_NESTING = 60_000

_DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
_INDEX = "index"
#: suffix of single-file components -> their language
_COMPONENTS = {".vue": "vue", ".svelte": "svelte"}


def extract(path: str, source: bytes) -> FileFacts:
    """The facts of one file. Never raises on bad input: see `FileFacts.parse_errors`."""
    text, encoding = as_utf8(source)
    suffix = f".{path.rpartition('.')[2].lower()}"
    code = text
    if suffix in _COMPONENTS:
        code, suffix = plain(suffix, text)
    tree, grammar = parse(suffix, code)
    reader = Reader(path, code, grammar)
    walk = Walk(reader)
    root = tree.root_node
    reader.errors += broken_places(root)
    with deep_recursion(MAX_NESTING):
        try:
            walk.program(root)
        except RecursionError:
            reader.complain(root, f"nested deeper than {MAX_NESTING} levels: what follows was left out")
        walk.finish()
    return _facts(path, text, encoding, walk)


def _language(file: str) -> str:
    component = _COMPONENTS.get(f".{file.rpartition('.')[2].lower()}")
    return component or ("typescript" if file.lower().endswith(TYPED) else "javascript")


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
        exports=walk.exported,
        entry_points=tuple(reader.entry_points),
        parse_errors=tuple(sorted(reader.errors, key=lambda error: (error.line, error.message))),
        graph=reader.graph.finish(),
    )
