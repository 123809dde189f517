"""Views of an indexed tree: certainty, groups, call sites by line, maps, overviews and changes."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from repoquarry.code.calls import Certainty, Neighbor, classify_edge, list_callers
from repoquarry.code.impact import run_steps
from repoquarry.code.name_resolution import require_definitions
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import DefinitionRecord
from repoquarry.code.regression_tests import build_test_commands
from repoquarry.code.repository_diff import ChangeKind, diff_repositories
from repoquarry.code.views.call_sites import EdgeFilter, GroupKind, group_neighbors
from repoquarry.code.views.change_view import ChangeReport, describe_signature_change, view_change
from repoquarry.code.views.map_view import BoxValue, MapRequest, ModuleGraph, view_map
from repoquarry.code.views.overview import view_overview
from repoquarry.code.views.source_views import SymbolRequest, view_file, view_symbol
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.store import Store
from tests.indexed_trees import indexed_trees

pytestmark = pytest.mark.usefixtures("thread_workers")

_TREE: dict[str, str] = {
    "README.md": "# Shop\n\nA shop that sells things.\n",
    "shop/__init__.py": "",
    "shop/shapes.py": (
        "class Shape:\n"
        "    def area(self):\n"
        "        return 0\n\n\n"
        "class Square(Shape):\n"
        "    def area(self):\n"
        "        return 1\n\n\n"
        "class Circle(Shape):\n"
        "    def area(self):\n"
        "        return 3\n"
    ),
    "shop/use.py": (
        "from shop.shapes import Circle, Shape, Square\n\n\n"
        "def total(shape: Shape, other) -> int:\n"
        "    other.area()\n"
        "    return shape.area() + len([shape])\n\n\n"
        "def build():\n"
        "    return total(Square(), Circle())\n"
    ),
    "tests/test_use.py": "from shop.use import build, total\n\n\ndef test_build():\n    assert build() == 1\n    total(1, 2)\n",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with indexed_trees(tmp_path_factory.mktemp("views"), {"shop": {**_TREE}}) as store:
        yield store


@pytest.fixture
def reader(store: Store) -> CodeReader:
    return CodeReader(store)


def _definition(reader: CodeReader, name: str) -> DefinitionRecord:
    (found,) = require_definitions(reader, name, ["shop"])
    return found


@pytest.mark.parametrize(
    ("how", "targets", "expected"),
    [
        ("receiver", 1, Certainty.SURE),
        ("receiver", 2, Certainty.ONE_OF),
        ("dispatch", 1, Certainty.ONE_OF),
        ("hook", 1, Certainty.ONE_OF),
        ("declared", 3, Certainty.DECLARED),
        ("possible", 4, Certainty.POSSIBLE),
    ],
)
def test_certainty_follows_from_rule_and_targets(how: str, targets: int, expected: Certainty) -> None:
    assert classify_edge(how, targets) is expected


def test_a_symbol_has_callers_source_and_calls(reader: CodeReader) -> None:
    report = view_symbol(reader, _definition(reader, "total"), ["shop"], SymbolRequest())
    assert [(group.key, group.kind, group.sites) for group in report.caller_groups] == [
        ("shop/use.py", GroupKind.FILE, 1),
        ("tests", GroupKind.TESTS, 1),
    ]
    assert (report.figures.callers, report.figures.test_callers, report.figures.test_files) == (2, 1, 1)
    assert report.source.lines[0] == "def total(shape: Shape, other) -> int:"
    assert [span.start for span in report.source.spans[4]][:2] == [0, 4]
    sites = {site.line: site for site in report.calls}
    assert (sites[6].column, sites[6].end_column) == (17, 21)
    assert "Shape.area" in [target.entity.qualname for target in sites[6].targets]
    assert report.external_call_count == 1


def test_callers_from_memory_are_those_of_the_graph(reader: CodeReader, monkeypatch: pytest.MonkeyPatch) -> None:
    (total,) = require_definitions(reader, "total", ["shop"])
    monkeypatch.setattr("repoquarry.code.reader._MANY_CALLS", 1)
    found = list_callers(CodeReader(reader.store), total)
    assert total.calls_in > 1
    assert found == list_callers(reader, total)


def test_external_calls_are_listed_on_request(reader: CodeReader) -> None:
    request = SymbolRequest(includes_external=True)
    report = view_symbol(reader, _definition(reader, "total"), ["shop"], request)
    (target,) = [target for site in report.calls for target in site.targets if target.entity.label == "External"]
    assert target.entity.name == "len"
    assert report.external_call_count == 0


def test_the_filter_hides_edges_and_changes_no_figure(reader: CodeReader) -> None:
    request = SymbolRequest(shown=EdgeFilter(hidden=frozenset(Certainty)))
    report = view_symbol(reader, _definition(reader, "total"), ["shop"], request)
    assert report.caller_groups == ()
    assert not any(site.targets for site in report.calls)
    assert report.figures.callers == 2


def test_unresolved_calls_of_the_name_are_listed(reader: CodeReader) -> None:
    report = view_symbol(reader, _definition(reader, "Shape.area"), ["shop"], SymbolRequest())
    assert {item.entity.qualname for item in report.overridden_by} == {"Square.area", "Circle.area"}
    report = view_symbol(reader, _definition(reader, "Shape"), ["shop"], SymbolRequest())
    assert [member.qualname for member in report.members] == ["Shape.area"]
    assert {item.entity.qualname for item in report.overridden_by} == {"Square", "Circle"}


def test_many_callers_are_grouped_by_folder() -> None:
    def caller(number: int, path: str, *, is_test: bool = False) -> Neighbor:
        return Neighbor(
            DefinitionRecord(
                f"r:{path}::f{number}", "Function", "r", path, f"f{number}", "f", "function", 1, 2, is_test=is_test
            )
        )

    callers = [caller(number, f"src/p{number % 50}/m.py") for number in range(100)]
    callers += [caller(100 + number, "src/top.py") for number in range(3)]
    groups = group_neighbors([*callers, caller(200, "tests/t.py", is_test=True)], 60)
    assert [(group.key, group.kind, len(group.neighbors)) for group in groups] == [
        ("src/", GroupKind.FOLDER, 103),
        ("tests", GroupKind.TESTS, 1),
    ]
    assert group_neighbors(callers, 60) == group_neighbors(callers[::-1], 60)


def test_a_file_has_margins_and_imports_both_ways(reader: CodeReader) -> None:
    report = view_file(reader, "shop", "shop/use.py", 4, 10)
    assert (report.source.start_line, report.source.end_line, report.source.total_lines) == (4, 10, 10)
    assert [(item.entity.qualname, sum(len(group.neighbors) for group in item.groups)) for item in report.callers] == [
        ("total", 2),
        ("build", 1),
    ]
    assert [item.entity.path for item in report.imports] == ["shop/shapes.py"]
    assert [item.entity.path for item in report.imported_by] == ["tests/test_use.py"]
    assert {site.line for site in report.calls} >= {6, 10}
    assert all(4 <= site.line <= 10 for site in report.calls)
    with pytest.raises(NotFoundError):
        view_file(reader, "shop", "../secret", 1, 10)


def test_the_map_has_users_above_what_they_use(store: Store, reader: CodeReader) -> None:
    graph = ModuleGraph(store, "shop")
    report = view_map(reader, "shop", graph, MapRequest())
    assert report.folder == "shop"
    assert [(box.path, report.levels.level_by_box[box.path]) for box in report.boxes] == [
        ("shop/use.py", 1),
        ("shop/__init__.py", 0),
        ("shop/shapes.py", 0),
    ]
    assert {pair: imports for pair, (imports, _) in report.weights.items()} == {("shop/use.py", "shop/shapes.py"): 1}
    assert report.weights["shop/use.py", "shop/shapes.py"][1] >= 3
    tested = view_map(reader, "shop", graph, MapRequest(value=BoxValue.TESTS))
    assert {box.path: box.value for box in tested.boxes}["shop/use.py"] == 1.0
    inside = view_map(reader, "shop", graph, MapRequest(folder="shop/use.py"))
    assert inside.is_by_calls
    assert [box.name for box in inside.boxes] == ["build", "total"]
    few = view_map(reader, "shop", graph, MapRequest(max_boxes=2))
    assert len(few.boxes) == 2
    assert len(few.joined) == 2
    with pytest.raises(NotFoundError):
        view_map(reader, "shop", graph, MapRequest(folder="nowhere"))


def test_the_overview_has_roles_and_completeness(store: Store) -> None:
    report = view_overview(store, "shop")
    roles = {role.name: [folder.path for folder in role.folders] for role in report.roles}
    assert roles["tests"] == ["tests"]
    assert set(roles["application"]) | set(roles["infrastructure"]) == {
        "shop/use.py",
        "shop/shapes.py",
    }
    assert "shop/shapes.py" in roles["infrastructure"]
    assert [node.properties["path"] for node in report.documents] == ["README.md"]
    assert [language for language, _, _ in report.languages] == ["python"]
    assert {item.name for item in report.completeness} == {"application", "tests"}
    assert sum(report.completeness[0].sites_by_certainty.values()) > 0
    assert [(item.path, how) for item, how in report.entry_points] == [
        ("shop/use.py", "library: imported by 1 file of tests")
    ]


@dataclass(frozen=True)
class _Texts:
    path: str
    old_text: str | None
    new_text: str | None


def _change(reader: CodeReader, *files: _Texts, is_new_indexed: bool = False) -> ChangeReport:
    steps = view_change(reader, "shop", files, is_new_indexed=is_new_indexed, repositories=["shop"])
    return run_steps(steps)


def test_a_change_has_definitions_with_call_sites_outside_the_diff(reader: CodeReader) -> None:
    old = _TREE["shop/use.py"]
    new = old.replace("shape: Shape, other)", "shape: Shape, other, limit)").replace("def build():", "def construct():")
    report = _change(reader, _Texts("shop/use.py", old, new))
    kinds = {item.record.qualname: item.kind for item in report.definitions}
    assert kinds == {"total": ChangeKind.SIGNATURE, "build": ChangeKind.REMOVED, "construct": ChangeKind.ADDED}
    by_name = {item.record.qualname: item for item in report.definitions}
    assert by_name["total"].parameters_changed == ("limit is added and required",)
    assert [(site.caller.entity.path, site.line) for site in by_name["total"].sites] == [
        ("shop/use.py", 10),
        ("tests/test_use.py", 6),
    ]
    assert by_name["build"].sites[0].source_line == "assert build() == 1"
    assert by_name["total"].test_sites == 1
    assert report.definitions[0].kind is ChangeKind.REMOVED
    assert [file.entity.path for file in report.tiers[1].files] == ["tests/test_use.py"]


def test_a_body_change_and_a_move_are_recognized(reader: CodeReader) -> None:
    old = _TREE["shop/shapes.py"]
    square = "class Square(Shape):\n    def area(self):\n        return 1\n"
    files = [
        _Texts("shop/shapes.py", old, old.replace("return 3", "return 4").replace(f"{square}\n\n", "")),
        _Texts("shop/square.py", None, square),
    ]
    report = _change(reader, *files)
    kinds = {item.record.qualname: item.kind for item in report.definitions}
    assert kinds == {"Circle.area": ChangeKind.BODY, "Square": ChangeKind.MOVED, "Square.area": ChangeKind.MOVED}
    (body,) = [item for item in report.definitions if item.kind is ChangeKind.BODY]
    assert body.changed_lines == ("-        return 3", "+        return 4")


@pytest.mark.parametrize(("old_count", "new_count", "removed", "added"), [(9, 9, 3, 3), (9, 1, 5, 1), (9, 0, 6, 0)])
def test_a_long_removal_does_not_hide_what_replaces_it(
    reader: CodeReader, old_count: int, new_count: int, removed: int, added: int
) -> None:
    before, after = (
        "def build():\n" + "".join(f"    {name}_{n}()\n" for n in range(count)) + "    return 1\n"
        for name, count in (("old", old_count), ("new", new_count))
    )
    report = _change(reader, _Texts("shop/use.py", before, after))
    (body,) = [item for item in report.definitions if item.kind is ChangeKind.BODY]
    assert [line[0] for line in body.changed_lines] == ["-"] * removed + ["+"] * added


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('(a, safe: str = "/")', "(a, safe: str)", ["safe is now required"]),
        ("(a)", "(a, b=1)", ["b is added"]),
        ("(a, b)", "(a)", ["b is removed"]),
        ("(a, b)", "(b, a)", ["the order of parameters changed"]),
        ("(a: int)", "(a: str)", ["a is now `a: str`, was `a: int`"]),
        ("(a) -> int", "(a) -> str", ["returns `str`, was `int`"]),
        ("(int a, Map<K, V> b)", "(int a, Map<K, V> b, long c)", ["c is added and required"]),
        ("(a,  b)", "(a, b)", []),
        ("(Base)", "(Other)", ["Base is removed", "Other is added and required"]),
    ],
)
def test_signature_changes_are_described(old: str, new: str, expected: list[str]) -> None:
    assert describe_signature_change(old, new) == expected


def test_test_commands_are_quoted_and_one_for_each_runner() -> None:
    paths = ["tests/test_a.py", "tests/it's b.py", "pkg/a_test.go", "pkg/b_test.go", "web/a.test.tsx", "A.java"]
    assert build_test_commands(paths) == [
        "python -m pytest tests/test_a.py 'tests/it'\"'\"'s b.py'",
        "go test ./pkg",
        "npm test -- web/a.test.tsx",
        "mvn test -Dtest=A",
    ]
    assert build_test_commands(["web/a.test.tsx"], {"jest", "vitest"}) == ["npx vitest run web/a.test.tsx"]
    assert build_test_commands(["spec/a_spec.rb", "test/a_test.rb", "tests/a.rs", "b.rs"]) == [
        "bundle exec rspec spec/a_spec.rb",
        "bundle exec ruby -Itest test/a_test.rb",
        "cargo test",
    ]


def test_a_change_of_a_long_line_is_compared_by_lines(reader: CodeReader) -> None:
    old = _TREE["shop/use.py"]
    new = old.replace("    return total", f"    {'x = 1; ' * 60_000}\n    return total")
    report = _change(reader, _Texts("shop/use.py", old, new))
    assert [item.record.qualname for item in report.definitions] == ["build"]
    report = _change(reader, _Texts("shop/generated.py", "def made():\n    return 1\n", None))
    assert report.definitions == ()
    assert report.unknown_paths == ("shop/generated.py",)
    report = _change(reader, _Texts("shop/use.py", old, f"{old}{'f(x);' * 2_000}\n"))
    assert (report.definitions, report.unknown_paths) == ((), ("shop/use.py",))


def test_a_change_has_gained_and_lost_calls(reader: CodeReader) -> None:
    old = _TREE["shop/use.py"]
    new = old.replace("return total(Square(), Circle())", "return len([Square(), Shape()])")
    expected = [("Circle", False, False), ("total", False, False), ("Shape", True, True)]
    assert _list_edges(reader, _Texts("shop/use.py", old, new), is_new_indexed=False) == expected
    expected = [("Circle", True, False), ("total", True, False), ("Shape", False, True)]
    assert _list_edges(reader, _Texts("shop/use.py", new, old), is_new_indexed=True) == expected


def _list_edges(reader: CodeReader, file: _Texts, *, is_new_indexed: bool) -> list[tuple[str, bool, bool]]:
    """Return (called definition, whether the call has appeared, whether it was found by name) of `build`."""
    report = _change(reader, file, is_new_indexed=is_new_indexed)
    (build,) = [item for item in report.definitions if item.record.qualname == "build"]
    return [(edge.target.entity.qualname, edge.appeared, edge.by_name) for edge in build.edges]


def test_callers_of_a_class_are_those_of_its_constructor(reader: CodeReader) -> None:
    callers = list_callers(reader, _definition(reader, "Square"))
    assert [item.entity.qualname for item in callers] == ["build"]


def test_limits_compare_the_targets_of_a_site_together(tmp_path: Path) -> None:
    code = "class A:\n    def run(self): 0\nclass B:\n    def run(self): 0\ndef go(n):\n    "
    trees = {"a": {"m.py": f"{code}0\n"}, "b": {"m.py": f"{code}(A() if n else B()).run()\n"}}
    with indexed_trees(tmp_path, trees) as store:
        reader = CodeReader(store)
        (go,) = require_definitions(reader, "go", ["b"])
        sites = view_symbol(reader, go, ["b"], SymbolRequest(shown=EdgeFilter(0.8))).calls
        edges = diff_repositories(reader, "a", "b", min_confidence=0.8).edges
    assert {target.entity.qualname for site in sites for target in site.targets} >= {"A.run", "B.run"}
    assert {edge.confidence for edge in edges if edge.end.endswith(".run")} == {0.5}
