"""Scores of RepoMaster, recomputed from the paper's formulas with the `ast` module of Python and no code of the product."""

import ast
import re
from collections import Counter

import numpy as np
import pytest

from repoquarry.graphstore.storage.git_history import Commit, GitHistory
from repoquarry.ingest.file_features import FileFeatures
from repoquarry.ingest.importance import RepositoryScores, score_repository
from repoquarry.ingest.resolution import resolve
from repoquarry.ingest.settings import IngestSettings
from repoquarry.languages.registry import language_for

SOURCES = {
    "shapes.py": '''"""Shapes of the board.

Args:
    none

Returns:
    nothing
"""


class Shape:
    def __init__(self, size): self.size = size
    def area(self):
        for row in range(self.size):
            if row:
                return row
    def grow(self): return Shape(self.size + 1)


class Square(Shape):
    def side(self): return self.area()


# A label for while it is: words of comments count too, `domain` has no keyword.
class Label: pass
def domain(): pass
''',
    "board_api.py": """from shapes import Label, Shape, Square


class Board:
    def __new__(cls): return object.__new__(cls)
    def __init__(self): self.first = Shape(1); self.second = Shape(2)
    def draw(self): return Square(3).side()


def label(): return Label()
""",
    "main.py": """import board_api
from board_api import Board, label
from shapes import Shape


def start():
    try:
        board = Board()
        board.draw(); Board()
    except ValueError:
        while True: pass
    return label(), Shape(4).grow()
""",
}
HISTORY = GitHistory(list(SOURCES), [Commit("2", 100 * 86_400, "b", (1,)), Commit("1", 27 * 86_400, "a", (0, 1))])
# The file and the caller of each call site, and the definitions that it reaches: a construction is one site.
SITES = [
    ("shapes.py", "Shape.grow", {"Shape", "Shape.__init__"}),
    ("shapes.py", "Square.side", {"Shape.area"}),
    *[("board_api.py", "Board.__init__", {"Shape", "Shape.__init__"})] * 2,
    ("board_api.py", "Board.draw", {"Square", "Shape.__init__"}),
    ("board_api.py", "Board.draw", {"Square.side"}),
    ("board_api.py", "label", {"Label"}),
    *[("main.py", "start", {"Board", "Board.__new__", "Board.__init__"})] * 2,
    ("main.py", "start", {"Board.draw"}),
    ("main.py", "start", {"label"}),
    ("main.py", "start", {"Shape", "Shape.__init__"}),
    ("main.py", "start", {"Shape.grow"}),
]
FILE_OF = {
    "Shape": "shapes.py",
    "Square": "shapes.py",
    "Label": "shapes.py",
    "Board": "board_api.py",
    "label": "board_api.py",
}
IMPORTS = [
    ("board_api.py", "shapes.py"),
    ("main.py", "board_api.py"),
    ("main.py", "board_api.py"),
    ("main.py", "shapes.py"),
]


@pytest.fixture(scope="module")
def scores() -> RepositoryScores:
    files = [language_for(path).extract(path, text.encode()) for path, text in SOURCES.items()]
    return score_repository(
        files,
        FileFeatures.of(files),
        resolve(files),
        HISTORY,
        IngestSettings(score_profile="paper"),
        SOURCES.__getitem__,
    )


def file_of(name: str) -> str:
    return FILE_OF[name.partition(".")[0]]


def w_m() -> Counter[tuple[str, str]]:
    found = Counter(IMPORTS)
    for path, _, reached in SITES:
        found.update({(path, file_of(name)) for name in reached if file_of(name) != path})
    return found


def test_w_f_counts_both_edges_of_a_construction_at_each_site(scores: RepositoryScores) -> None:
    wanted = Counter((caller, name) for _, caller, reached in SITES for name in reached)
    sites, symbols = scores.sites, scores.sites.symbols
    rows = zip(sites.callers.tolist(), sites.callees.tolist(), sites.counts.tolist(), strict=True)
    assert {(symbols[one].key, symbols[two].key): count for one, two, count in rows} == wanted


def test_calls_in_and_calls_out_count_a_site_once(scores: RepositoryScores) -> None:
    keys = [symbol.key for symbol in scores.sites.symbols]
    outgoing = dict(zip(keys, scores.sites.outgoing().tolist(), strict=True))
    incoming = dict(zip(keys, scores.sites.incoming().tolist(), strict=True))
    assert {key: count for key, count in outgoing.items() if count} == Counter(caller for _, caller, _ in SITES)
    assert {key: count for key, count in incoming.items() if count} == Counter(
        name for _, _, reached in SITES for name in reached
    )


def test_w_m_and_fans_count_a_site_once(scores: RepositoryScores) -> None:
    assert scores.coupling.weights == w_m()
    calls = w_m() - Counter(IMPORTS)
    for path, score in scores.modules.items():
        fan_out = sum(count for (source, _), count in calls.items() if source == path)
        fan_in = sum(count for (_, target), count in calls.items() if target == path)
        assert (score.outward, score.inward) == pytest.approx((0.5 * np.log1p(fan_out), 0.5 * np.log1p(fan_in)))


def test_j_follows_equation_3(scores: RepositoryScores) -> None:
    methods = {
        node.name: sum(isinstance(part, ast.FunctionDef) for part in node.body)
        for text in SOURCES.values()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ClassDef)
    }
    calls = Counter(
        name for *_, reached in SITES for name in {part.partition(".")[0] for part in reached} & set(methods)
    )
    for (path, name), score in scores.classes.items():
        assert score.calls_in == calls[name]
        shares = methods[name] / max(methods.values()) + calls[name] / max(calls.values())
        assert score.importance == pytest.approx(scores.modules[path].importance + shares, abs=1e-8)


def rank(path: str) -> float:
    """Algorithm 1, by power iteration."""
    paths = list(SOURCES)
    links = np.array([[w_m()[source, target] * ((source, target) in IMPORTS) for source in paths] for target in paths])
    start = np.array([1.0 + (one == path) for one in paths]) / (len(paths) + 1)
    outgoing = links.sum(axis=0)
    now = start
    for _ in range(500):
        flow = links @ np.where(outgoing > 0, now / np.where(outgoing > 0, outgoing, 1.0), 0.0)
        now = 0.85 * (flow + now[outgoing == 0].sum() * start) + 0.15 * start
    return float(now[paths.index(path)])


def test_six_features_follow_appendix_f(scores: RepositoryScores) -> None:
    keywords = {"main", "core", "engine", "api", "service", "processor", "factory", "builder", "scheduler", "config"}
    days = {"shapes.py": 73, "board_api.py": 0}
    for path, text in SOURCES.items():
        tree, found = ast.parse(text), scores.modules[path]
        nodes = list(ast.walk(tree))
        branches = sum(len(re.findall(rf"\b{word}\b", text)) for word in ("if", "for", "while", "except"))
        deepest = max(node.col_offset for node in nodes if isinstance(node, ast.FunctionDef))
        importers = {source for source, target in IMPORTS if target == path}
        calls = [reached for source, _, reached in SITES if source != path and path in map(file_of, reached)]
        functions = sum(reached <= {"label"} for reached in calls)
        names = [path.removesuffix(".py"), *(node.name for node in nodes if isinstance(node, ast.FunctionDef))]
        semantic = 0.3 * any(keywords & set(name.split("_")) for name in names)
        documentation = ast.get_docstring(tree) or ""
        commits = sum(list(SOURCES).index(path) in commit.files for commit in HISTORY.commits)
        assert found.dependency == pytest.approx(10 * rank(path), abs=1e-3)
        assert found.complexity == pytest.approx(min(branches / 50, 1) + min(deepest / 4 / 5, 1) * 0.3)
        assert found.usage == pytest.approx(
            min(len(importers) / 5, 1) + min(functions / 10, 1) / 2 + min((len(calls) - functions) / 10, 1) / 2
        )
        assert found.semantic == pytest.approx(semantic)
        assert found.documentation == pytest.approx(
            min(len(documentation) / 200, 1) * 0.7 + 0.15 * ("Args:" in text) + 0.15 * ("Returns:" in text)
        )
        history = min(commits / 20, 1) * 0.7 + max(0, 1 - days[path] / 365) * 0.3 if commits else 0
        assert found.history == pytest.approx(history)
        assert found.importance == pytest.approx(
            min(
                found.dependency
                + found.complexity
                + found.usage
                + found.semantic
                + found.documentation
                + found.history,
                10,
            )
        )
