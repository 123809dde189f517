"""Every class, function, method and constructor in the syntax tree of a file is a definition with its name, kind and lines.

The kinds of syntax nodes are those by which SWE-PolyBench measures retrieval, and what its own code misses: nested ones, functions as
values, TSX and modules by suffix.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tree_sitter import Node

from repoquarry.evaluation.polybench_nodes import grammar_of, parse
from repoquarry.languages.registry import language_for

#: node of a syntax tree -> possible kinds of its definition in the graph
KINDS = {
    "class_definition": {"class", "enum", "dataclass", "protocol"},
    "class_declaration": {"class"},
    "abstract_class_declaration": {"class"},
    "interface_declaration": {"interface"},
    "enum_declaration": {"enum"},
    "record_declaration": {"record"},
    "annotation_type_declaration": {"annotation"},
    "internal_module": {"namespace"},
    "function_definition": {"function", "method", "constructor", "property"},
    "function_declaration": {"function"},
    "generator_function_declaration": {"function"},
    "function_signature": {"function"},
    "method_declaration": {"method"},
    "method_definition": {"method", "constructor", "property", "function"},
    "abstract_method_signature": {"method"},
    "method_signature": {"method"},
    "constructor_declaration": {"constructor"},
    "compact_constructor_declaration": {"constructor"},
    "arrow_function": {"function", "lambda"},
    "function_expression": {"function", "lambda"},
    "generator_function": {"function", "lambda"},
    "class": {"class"},
    "lambda": {"lambda"},
    "lambda_expression": {"lambda"},
}

FOLDER = Path(__file__).parent / "sources"
PYTHON = [path for path in FOLDER.parents[1].glob("resolution/sources/*.py") if path.stem != "overloads"]
"""Programs of which every definition is one of its own, as overloads are not."""
JAVA = (FOLDER / "Outer.java").read_text()
JAVASCRIPT = (FOLDER / "store.js").read_text()
TYPESCRIPT = (FOLDER / "shape.ts").read_text()
TSX = (FOLDER / "panel.tsx").read_text()
SOURCES = {
    **{path.name: path.read_text() for path in PYTHON},
    "a/nested.py": "class A:\n    class B:\n        @staticmethod\n        async def f(): pass\n\n"
    "def g():\n    class C:\n        def h(self): pass\n",
    "a/tool.pyi": "class A:\n    def f(self) -> int: ...\n\ndef g() -> A: ...\n",
    "a/Outer.java": JAVA,
    "src/a.js": JAVASCRIPT,
    "src/a.mjs": JAVASCRIPT.replace("module.exports =", "export const whole ="),
    "src/a.cjs": JAVASCRIPT.replace("export default ", ""),
    "src/a.jsx": "const A = () => <b onClick={() => f()} />;\nclass B { render() { return <A />; } }\n",
    "src/a.ts": TYPESCRIPT,
    "src/a.mts": TYPESCRIPT,
    "src/a.cts": TYPESCRIPT,
    "src/a.tsx": TSX,
}


def syntax_nodes(path: str, source: bytes) -> Iterator[Node]:
    pending = [parse(grammar_of(path, published=False), source).root_node]
    while pending:
        node = pending.pop()
        if node.is_named and node.type in KINDS and not (node.type == "class" and not node.child_count):
            yield node
        pending.extend(node.children)


@pytest.mark.parametrize("path", SOURCES)
def test_every_syntax_node_is_a_definition(path: str) -> None:
    source = SOURCES[path].encode()
    facts = language_for(path).extract(path, source)
    assert facts.parse_errors == ()
    waiting = list(facts.definitions)
    nodes = sorted(syntax_nodes(path, source), key=lambda node: (node.start_byte, -node.end_byte))
    assert nodes
    for node in nodes:
        first, last = node.start_point.row + 1, node.end_point.row + 1
        name = node.child_by_field_name("name")
        found = [
            one
            for one in waiting
            if one.start_line <= first <= max(one.name_line, first)
            and one.end_line == last
            and (one.form or one.kind) in KINDS[node.type]
            and (name is None or one.name == (name.text or b"").decode().strip("'"))
        ]
        assert found, f"{node.type} in lines {first} to {last}: {(node.text or b'').decode()[:60]}"
        waiting.remove(found[0])
    rest = [(one.key, one.form or one.kind) for one in waiting]
    assert [one for one in rest if one[1] != "anonymous class"] == []


@pytest.mark.parametrize("path", ["src/a.js", "src/a.ts", "src/a.tsx"])
def test_functions_that_are_values_bear_the_names_that_they_are_bound_to(path: str) -> None:
    names = {
        "src/a.js": {
            "Store.handle",
            "table.pair",
            "exported",
            "table.quoted name",
            "outer.arrow",
            "Store.go",
            "Anonymous.run",
            "table.method",
            "table.nested.deep",
        },
        "src/a.ts": {"make", "make.build", "default", "Shape.load.local", "Space.Deep.In", "Space.inside"},
        "src/a.tsx": {"View", "View.onClick", "Panel.onChange", "Page"},
    }
    facts = language_for(path).extract(path, SOURCES[path].encode())
    assert names[path] <= {one.qualname for one in facts.definitions}
