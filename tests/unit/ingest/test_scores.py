"""The six features, the class score and the profiles, against numbers worked out by hand from the paper's definitions."""

import math
from dataclasses import asdict

import msgspec
import pytest

from repoquarry.graphstore.model.score_profiles import DEGREES_APART, PAPER, Profile
from repoquarry.graphstore.storage.git_history import Commit, GitHistory
from repoquarry.ingest.file_features import FileFeatures, documentation
from repoquarry.ingest.importance import CallSiteArrays, Coupling, ModuleScore, score_classes, score_modules
from repoquarry.ingest.resolution import Resolution, resolve
from repoquarry.ingest.resolution.model import CallEdge, CallTable, ImportEdge, InheritanceEdge, Symbol
from repoquarry.languages.facts import NO_GRAPH, Definition, FileFacts
from repoquarry.languages.family import ModuleInfo
from repoquarry.languages.registry import language_for

DAY = 86_400


def definition(key: str, kind: str, indent: int = 0) -> Definition:
    parent, _, name = key.rpartition(".")
    return Definition(key, kind, name, key, parent, 1, 1, 2, "()", "", (), (), 0, indent, 0, False, False)


def facts(path: str, *definitions: Definition, docstring: str = "", branches: int = 0, deepest: int = 0) -> FileFacts:
    name = path.rsplit("/", 1)[-1].removesuffix(".py")
    return FileFacts(
        path, "python", "utf-8", 10, name, name == "__init__", False, docstring, branches, deepest, definitions, (), None, (),
        (), NO_GRAPH,
    )  # fmt: skip


FILES = [
    facts("a.py", definition("f", "function"), branches=25, deepest=8),
    facts("b.py", definition("C", "class"), definition("C.m", "method", 4), definition("C.n", "method", 4)),
    facts("pkg/core.py", docstring="x" * 100, branches=500, deepest=80),
]
SYMBOLS = [
    Symbol("a.py", ""),
    Symbol("a.py", "f"),
    Symbol("b.py", ""),
    Symbol("b.py", "C"),
    Symbol("b.py", "C.m"),
    Symbol("pkg/core.py", ""),
]
A, F, B, C, M, CORE = range(6)
CALLS = [
    CallEdge(M, F, 3, (4, 5, 6), "name", 1.0),
    CallEdge(F, M, 4, (7, 8, 9, 10), "name", 1.0),
    CallEdge(M, M, 9, (1,) * 9, "name", 1.0),
]


def resolution() -> Resolution:
    return Resolution(
        symbols=SYMBOLS,
        externals=["os"],
        modules=[ModuleInfo("a.py", "a", "", False), ModuleInfo("b.py", "b", "", False), ModuleInfo("pkg/core.py", "pkg.core", "", False)],
        imports=[
            ImportEdge(B, A, (), (1,), "import", False),
            ImportEdge(CORE, A, ("f",), (1, 2), "from", False),
            ImportEdge(A, -1, (), (1,), "import", False),
        ],
        calls=CallTable.of(CALLS),
        unresolved=[],
        inherits=[InheritanceEdge(C, -1, 0, 1)],
        overrides=[],
        references=[],
        exports=[],
        entry_points=[],
        budget_hit=False,
    )  # fmt: skip


def history() -> GitHistory:
    return GitHistory(
        ["a.py", "b.py", "gone.py"],
        [Commit("3", 1000 * DAY, "c", (0, 2)), Commit("2", 900 * DAY, "b", (0,)), Commit("1", 100 * DAY, "a", (0, 1))],
    )


def scored(
    files: list[FileFacts],
    found: Resolution,
    past: GitHistory,
    profile: Profile = DEGREES_APART,
    tests: frozenset[str] = frozenset(),
) -> dict[str, ModuleScore]:
    own = FileFeatures.of(files)
    sites = CallSiteArrays.of(found, own)
    text = {file.path: "if " * file.branches for file in files}.__getitem__
    return score_modules(files, own, found, sites, Coupling.of(found, sites), past, tests, profile, text)


def test_features_of_modules() -> None:
    scores = scored(FILES, resolution(), history())
    a, b, core = scores["a.py"], scores["b.py"], scores["pkg/core.py"]

    assert a.complexity == pytest.approx(25 / 50 + (8 / 4 / 5) * 0.3)
    assert core.complexity == pytest.approx(1 + 0.3)
    # imported by two files; its function called three times from another file
    assert a.usage == pytest.approx(2 / 5 + 0.5 * 3 / 10)
    # not imported; its class called four times from another file, its calls of itself not counted
    assert b.usage == pytest.approx(0.5 * 4 / 10)
    assert a.semantic == 0.0
    assert core.semantic == pytest.approx(0.3)
    assert core.documentation == pytest.approx(0.5 * 0.7)
    assert a.history == pytest.approx(0.7 * 3 / 20 + 0.3)
    assert b.history == pytest.approx(0.7 * 1 / 20)
    assert core.history == 0.0
    # personalised for itself, in a graph a <-> b, core -> a
    assert core.dependency == pytest.approx(10 * core_rank(), abs=1e-8)
    six = a.dependency + a.complexity + a.usage + a.semantic + a.documentation + a.history
    assert a.importance == pytest.approx(six + a.inward + a.outward)


def test_the_profile_paper_follows_the_printed_algorithms() -> None:
    ours, paper = (scored(FILES, resolution(), history(), profile) for profile in (DEGREES_APART, PAPER))
    # b and core lead to a, and the calls of a are not an edge: the visits .5, .25 and .25 + .85 * .75, divided by their sum.
    assert paper["b.py"].dependency == pytest.approx(10 * 0.5 / (0.5 + 0.25 + 0.8875), abs=1e-8)
    assert paper["b.py"].dependency < ours["b.py"].dependency
    # No function is nested in pkg/core.py, whose deepest definition is not counted.
    assert paper["pkg/core.py"].complexity == pytest.approx(1.0)
    assert paper["a.py"].complexity == pytest.approx(25 / 50)
    assert paper["pkg/core.py"].semantic == pytest.approx(0.3)
    for path, score in paper.items():
        shared = ("usage", "documentation", "history", "inward", "outward")
        assert [getattr(score, name) for name in shared] == [getattr(ours[path], name) for name in shared]


@pytest.mark.parametrize(
    ("profile", "path", "functions", "score"),
    [
        # printed names are files of the list, and keywords as words
        (PAPER, "x.py", (), 0.0),
        (PAPER, "domain.py", ("retain_capital", "maintain"), 0.0),
        (PAPER, "x.py", ("read_config",), 0.3),
        (PAPER, "x.py", ("coreEngine",), 0.3),
        (PAPER, "settings.py", (), 0.5),
        (PAPER, "config.py", (), 0.8),
        (PAPER, "main.py", (), 0.3),
        (PAPER, "core/utils.py", ("build_api",), 0.8),
        (PAPER, "index.py", (), 0.0),
        # names that mean something
        (DEGREES_APART, "x.py", (), 0.0),
        (DEGREES_APART, "settings.py", (), 0.5),
        (DEGREES_APART, "config.py", (), 0.8),
        (DEGREES_APART, "main.py", (), 1.0),
        (DEGREES_APART, "x.py", ("build_engine",), 0.15),
        (DEGREES_APART, "core/utils.py", (), 0.5 + 0.15),
    ],
)
def test_names_have_the_meaning_of_the_profile(
    profile: Profile, path: str, functions: tuple[str, ...], score: float
) -> None:
    file = facts(path, *(definition(name, "function") for name in functions))
    module = ModuleInfo(path, path.removesuffix(".py").replace("/", "."), "", False)
    found = Resolution([Symbol(path, "")], [], [module], [], CallTable.of([]), [], [], [], [], [], [], False)
    assert scored([file], found, GitHistory([], []), profile)[path].semantic == pytest.approx(score)


def core_rank() -> float:
    """Nothing leads to core: it gets its share of the jumps only, 0.15 * 2 / 4."""
    return 0.15 * 2 / 4


def test_degrees_count_calls_between_files_and_leave_out_those_of_tests() -> None:
    # C.m of b.py calls f of a.py from three places, f calls C.m from four; C.m's calls of itself stay inside the file
    scores = scored(FILES, resolution(), history())
    assert (scores["a.py"].inward, scores["a.py"].outward) == pytest.approx((math.log(4) / 2, math.log(5) / 2))
    assert (scores["b.py"].inward, scores["b.py"].outward) == pytest.approx((math.log(5) / 2, math.log(4) / 2))
    assert (scores["pkg/core.py"].inward, scores["pkg/core.py"].outward) == (0.0, 0.0)

    scores = scored(FILES, resolution(), history(), tests=frozenset({"b.py"}))
    assert (scores["a.py"].inward, scores["a.py"].outward) == pytest.approx((0.0, math.log(5) / 2))
    assert (scores["b.py"].inward, scores["b.py"].outward) == pytest.approx((math.log(5) / 2, math.log(4) / 2))


def test_the_profile_degrees_adds_both_degrees_and_halves_tests() -> None:
    degrees = scored(FILES, resolution(), history(), DEGREES_APART, frozenset({"b.py"}))
    six = {path: PAPER.total(asdict(score)) for path, score in degrees.items()}
    assert degrees["a.py"].importance == pytest.approx(six["a.py"] + math.log(5) / 2)
    assert degrees["b.py"].importance == pytest.approx((six["b.py"] + math.log(5) / 2 + math.log(4) / 2) / 2)


@pytest.mark.parametrize(
    ("docstring", "score"),
    [
        ("", 0.0),
        ("x" * 100, 0.35),
        ("x" * 400, 0.7),
        ("x" * 400 + "\n\nArgs:\n    a: b\n", 0.85),
        (
            "x" * 400 + "\n\nParameters\n----------\na : int\n\nReturns\n-------\nint\n\nExamples\n--------\n>>> 1\n",
            1.0,
        ),
        ("x" * 400 + "\n:param a: b\n:returns: c\n", 1.0),
        ("x" * 400 + "\n@param a b\n@return c\n", 1.0),
    ],
)
def test_documentation(docstring: str, score: float) -> None:
    assert documentation(docstring) == pytest.approx(score)


def test_in_the_profile_degrees_a_class_counts_as_much_as_its_module() -> None:
    found = resolution()
    modules = scored(FILES, found, history(), DEGREES_APART)
    best = max(score.importance for score in modules.values())
    scores = score_classes(
        FileFeatures.of(FILES), CallSiteArrays.of(found, FileFeatures.of(FILES)), modules, (), DEGREES_APART, 10
    )
    assert scores["b.py", "C"].importance == pytest.approx(modules["b.py"].importance + 2 * best)
    # both shares are 1, and half of each counts in a file of tests
    scores = score_classes(
        FileFeatures.of(FILES), CallSiteArrays.of(found, FileFeatures.of(FILES)), modules, {"b.py"}, DEGREES_APART, 10
    )
    assert scores["b.py", "C"].importance == pytest.approx(modules["b.py"].importance + best)


def test_calls_that_are_mere_possibilities_do_not_count() -> None:
    found = resolution()
    doubtful = CallEdge(M, F, 50, tuple(range(50)), "possible", 0.2)
    likely = CallEdge(M, F, 2, (60, 61), "possible", 0.5)
    before = CallSiteArrays.of(found, FileFeatures.of(FILES)).incoming()[F]
    found = msgspec.structs.replace(found, calls=CallTable.of([*CALLS, doubtful, likely]))
    assert CallSiteArrays.of(found, FileFeatures.of(FILES)).incoming()[F] == before + 2


def test_what_only_holds_classes_or_has_no_name_is_no_core_class() -> None:
    source = b"namespace shop {\nclass Cart { public: void add() {} void sum() {} };\nvoid free_one() {}\nvoid free_two() {}\n}\n"
    facts = language_for("shop.cpp").extract("shop.cpp", source)
    own, resolution = FileFeatures.of([facts]), resolve([facts])
    sites = CallSiteArrays.of(resolution, own)
    modules = scored([facts], resolution, GitHistory([], []), PAPER)
    scores = score_classes(own, sites, modules, (), PAPER, 10)
    assert {key: score.is_core for (_, key), score in scores.items()} == {"shop": False, "shop.Cart": True}


VALUES = {
    "dependency": 6.0, "complexity": 1.3, "usage": 2.0, "semantic": 0.5, "documentation": 0.7, "history": 0.25,
    "inward": 2.5, "outward": 1.5,
}  # fmt: skip


def test_paper_caps_the_sum_of_six_and_does_not_know_tests() -> None:
    assert PAPER.total(VALUES) == pytest.approx(10.75)
    assert PAPER.importance(VALUES, is_test=False) == 10.0
    assert PAPER.importance(VALUES, is_test=True) == 10.0
    assert PAPER.importance({**VALUES, "dependency": 1.0}, is_test=True) == pytest.approx(5.75)


def test_degrees_sums_eight_and_halves_tests() -> None:
    assert DEGREES_APART.importance(VALUES, is_test=False) == pytest.approx(14.75)
    assert DEGREES_APART.importance(VALUES, is_test=True) == pytest.approx(7.375)
