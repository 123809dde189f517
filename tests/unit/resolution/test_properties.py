"""Properties for any input: order and renaming change nothing, and nothing is joined by name alone."""

import ast
from collections import defaultdict
from pathlib import Path

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from repoquarry.ingest.resolution import Resolution, resolve
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.python import extract

SOURCES = Path(__file__).parent / "sources"
FILES = [extract(f"package/{path.name}", path.read_bytes()) for path in sorted(SOURCES.glob("*.py"))]


def edges(resolution: Resolution) -> set[tuple[object, ...]]:
    """Calls by name, so that they can be compared between runs that number symbols differently."""

    def name(target: int) -> object:
        return resolution.path_key(target) or resolution.external(target)

    return {(name(edge.caller), name(edge.callee), edge.lines, edge.how, edge.confidence) for edge in resolution.calls}


@given(st.permutations(FILES))
@settings(max_examples=10, deadline=None)
def test_the_order_of_files_changes_nothing(files: list[FileFacts]) -> None:
    assert msgspec.msgpack.encode(resolve(files)) == msgspec.msgpack.encode(resolve(FILES))


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_renaming_any_local_changes_no_edge(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from([path for path in sorted(SOURCES.glob("*.py")) if locals_of(path.read_text())]))
    source = path.read_text()
    places = data.draw(st.sampled_from(locals_of(source)))
    name = data.draw(st.from_regex(r"\A[a-z]{3,8}_x\Z").filter(lambda new: new not in source))
    before, after = (
        edges(resolve([extract(path.name, text)])) for text in (source.encode(), renamed(source, places, name))
    )
    assert before == after


def locals_of(source: str) -> list[list[tuple[int, int, int]]]:
    """(line, column, end column) of all mentions, for each name that is local wherever it stands and that nothing else bears."""
    mentions: dict[str, list[ast.AST]] = defaultdict(list)
    local: dict[str, set[int]] = defaultdict(set)
    taken: set[str] = set()
    tree = ast.parse(source)
    for node in ast.walk(tree):
        taken.update(_other_names(node))
        if name := _variable(node):
            mentions[name].append(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            inside = list(ast.walk(node))
            for name in {_variable(one) for one in inside if isinstance(getattr(one, "ctx", ast.Store()), ast.Store)}:
                local[name].update(map(id, inside))
    return [
        [(one.lineno, one.col_offset, one.col_offset + len(name)) for one in mentions[name]]  # type: ignore[attr-defined]
        for name in sorted(local.keys() - taken)
        if name and all(id(one) in local[name] for one in mentions[name])
    ]


def _variable(node: ast.AST) -> str:
    """The name of a variable or a parameter, empty for anything else."""
    return node.id if isinstance(node, ast.Name) else node.arg if isinstance(node, ast.arg) else ""


def _other_names(node: ast.AST) -> list[str]:
    """Names that a node bears other than by mentioning a variable: definitions, imports, attributes, keywords, texts."""
    if isinstance(node, ast.Global | ast.Nonlocal):
        return node.names
    fields = (
        ("name", "attr", "asname", "rest", "value")
        if isinstance(node, ast.arg)
        else ("name", "arg", "attr", "asname", "rest", "value")
    )
    return [value for value in (getattr(node, field, None) for field in fields) if isinstance(value, str)]


def renamed(source: str, places: list[tuple[int, int, int]], name: str) -> bytes:
    """The source with another name at these places; columns count bytes."""
    lines = source.encode().splitlines(keepends=True)
    for line, start, end in sorted(places, reverse=True):
        lines[line - 1] = lines[line - 1][:start] + name.encode() + lines[line - 1][end:]
    return b"".join(lines)


@given(st.permutations(FILES), st.integers(0, len(FILES)))
@settings(max_examples=10, deadline=None)
def test_the_order_of_any_part_changes_nothing(files: list[FileFacts], count: int) -> None:
    part = files[:count]
    assert resolve(part) == resolve(sorted(part, key=lambda facts: facts.path))


def test_facts_survive_the_way_between_processes() -> None:
    copies = [msgspec.msgpack.decode(msgspec.msgpack.encode(facts), type=FileFacts) for facts in FILES]
    assert copies == FILES
    assert resolve(copies) == resolve(FILES)


def test_endless_structures_come_to_an_end() -> None:
    source = (
        b"class C:\n    def m(self):\n        self.x = C()\n        self.x.x = self\n        return self.x.m().m()\n"
        b"a = []\na.append(a)\na[0][0][0]()\nC.__call__ = C()\nC()()()\n"
    )
    assert not resolve([extract("a.py", source)]).budget_hit
