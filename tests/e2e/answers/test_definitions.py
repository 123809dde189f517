"""Single definitions in answers of `show`, `impact` and `ask`: their names, titles and places, callers elsewhere, and unknown calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.languages.csharp import FAMILY
from tests.e2e.service import run_here, run_json, succeed
from tests.source_trees import write_tree

TESTS = """import { send } from '../src/send'
describe('res', () => {
  describe('.json()', () => {
    it('should send json', () => { send() })
  })
  it(`sends`, () => { send() })
  it('sends the whole of a body whose title is longer than a constant may be', () => { send() })
})
test('alone', function named() { send() })
"""
_CUT = "sends the whole of a body whose title is longer than a const"
TREES: dict[str, dict[str, str]] = {
    "cart": {
        "lib/cart.rb": "class Cart\n  def empty?\n    true\n  end\n\n  def save!\n    1\n  end\n\n  def save\n    2\n  end\nend\n",
        "docs/guide.md": "# Guide\n\nHow to shop.\n",
    },
    "forms": {
        "forms.py": (
            "import abc\nfrom typing import Generic, TypeVar\nT = TypeVar('T')\n\nclass Field:\n    pass\nclass Mixin(Generic[T]):\n    pass\n\n"
            "@abc.abstractmethod\nclass Choice(\n    Mixin[int],\n    Field,\n    metaclass=abc.ABCMeta,\n):\n    pass\n"
        ),
        "views.ts": (
            "export class View {}\nexport interface Closable { close(): void }\n\n/** A window. */\nexport class Window\n  extends View\n"
            "  implements\n    Closable {\n  close() {}\n}\nexport interface Door extends\n  Closable {}\n"
        ),
        "src/Store.java": (
            "import java.io.Serializable;\nclass Store {}\ninterface Named {}\n\n@Deprecated\nclass Shop\n    extends Store\n"
            "    implements Unknown,\n      Named,\n      Serializable {\n  Named of = new\n    Named() {};\n}\n"
        ),
    },
    "lambdas": {
        "shop/orders.py": (
            "def ranked(orders, key):\n    return sorted(orders, key=key)\n"
            "class Cart:\n    def __init__(self, on_change):\n        on_change()\n    def visit(self, *visitors):\n        pass\n"
            "def main(orders):\n    ranked(orders, lambda one: note(one))\n    orders.sort(key=lambda one: note(one))\n"
            "    Cart(lambda: note(1)).visit(lambda: note(2), lambda: note(3))\n    map(lambda one: note(one), orders)\n"
            "def note(one):\n    pass\n"
        ),
        "web/app.ts": (
            "class App { get(path: string, ...handlers: Array<(req: string) => void>): void {} }\n"
            "const app = new App();\n"
            "app.get('/orders', (req) => { log(req); });\n[1].map(() => log(''));\nexport function log(text: string) {}\n"
        ),
        "src/Ledger.java": (
            "class Ledger {\n  static void each(java.util.List<String> all, java.util.function.Consumer<String> visitor) {}\n"
            "  static void put(String one) {}\n  void run() { each(null, one -> put(one)); new Thread(() -> put(null)); }\n}\n"
        ),
    },
    **{
        f"titles-{suffix}": {f"src/send.{suffix}": "export function send() {}\n", f"test/cases.test.{suffix}": TESTS}
        for suffix in ("js", "ts")
    },
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with all trees, whose sources are in the folder next to it."""
    folder = tmp_path_factory.mktemp("definitions")
    succeed(folder / "store", "index", *(str(write_tree(folder / name, tree)) for name, tree in TREES.items()))
    return folder / "store"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("empty?", "Cart.empty?"),
        ("Cart.save!", "Cart.save!"),
        ("Cart.save?", "Cart.save"),
        ("lib/cart.rb::Cart.empty?", "Cart.empty?"),
        ("docs/guide.md", "docs/guide.md"),
        ("guide.md", "docs/guide.md"),
    ],
)
def test_a_name_is_shown(store: Path, name: str, shown: str) -> None:
    done = run_here(store, "show", name)
    assert done.returncode == 0, done.stderr
    assert shown in done.stdout.split("\n")[0].replace("(", " ").split()


def test_the_text_of_a_prose_file_is_shown(store: Path) -> None:
    done = run_here(store, "show", "guide.md", "--source")
    assert (done.returncode, "How to shop." in done.stdout) == (0, True)


def test_part_of_a_file_name_is_no_path(store: Path) -> None:
    assert "SYMBOL_NOT_FOUND" in run_here(store, "show", "uide.md").stderr


@pytest.mark.parametrize(
    ("name", "lines"),
    [("Field", [13]), ("Mixin", [12]), ("View", [6]), ("Closable", [8, 12]), ("Store", [7]), ("Named", [9, 11, 12])],
)
def test_a_base_class_is_used_on_the_line_that_writes_it(store: Path, name: str, lines: list[int]) -> None:
    """Also in heads of several lines."""
    found = run_json(store, "show", name, "--references")
    assert sorted({use["line"] for use in found["references"]}) == lines
    path = found["definitions"][0]["path"]
    column = (store.parent / "forms" / path).read_text().splitlines()[lines[0] - 1].index(name) + 1
    meant = run_json(store, "show", f"{path}:{lines[0]}:{column}")["meanings"]
    assert [one["entity"]["name"] for one in meant] == [name]


@pytest.mark.parametrize("suffix", ["js", "ts"])
def test_a_test_is_shown_by_the_titles_of_its_suites_and_its_own(store: Path, suffix: str) -> None:
    found = run_json(store, "impact", f"titles-{suffix}", "--symbol", f"src/send.{suffix}::send")
    tests = {test["entity"]["name"]: test["entity"]["qualname"] for test in found["test_files"][0]["tests"]}
    assert tests == {
        "res > .json() > should send json": "<describe: res>.<describe: json>.<it: should send json>",
        "res > sends": "<describe: res>.<it: sends>",
        f"res > {_CUT}": f"<describe: res>.<it: {_CUT}>",
        "alone": "<test: alone>",
    }
    listed = succeed(
        store, "impact", f"titles-{suffix}", "--symbol", f"src/send.{suffix}::send", "--format", "junit-list"
    ).stdout
    assert f"test/cases.test.{suffix}::res > .json() > should send json" in listed.splitlines()


@pytest.mark.parametrize(
    ("called", "names"),
    [
        (
            "note",
            "main.<lambda1: key> main.<lambda2: key> main.<lambda3: on_change> main.<lambda4: visitors> main.<lambda5: visitors> main.<lambda6>",
        ),
        ("log", "<lambda1: handlers> <lambda2>"),
        ("Ledger.put", "Ledger.run.<lambda1: visitor> Ledger.run.<lambda2>"),
    ],
)
def test_a_lambda_is_shown_with_the_parameter_that_receives_it(store: Path, called: str, names: str) -> None:
    shown = succeed(store, "show", called, "--callers", COLUMNS="400").stdout
    assert re.findall(r"\S*<lambda[^>]*>", shown) == names.replace("> ", ">\n").split("\n")
    unchanged = succeed(
        store, "query", "MATCH (f:Function) WHERE f.qualname CONTAINS '<lambda' RETURN f.id ORDER BY f.id"
    ).stdout
    assert ": " not in unchanged.partition("\n")[2].partition("rows")[0]


LIBRARY = {
    "pyproject.toml": '[project]\nname = "toolbox"\n',
    "toolbox/__init__.py": "from toolbox.hammer import Hammer, hit\n",
    "toolbox/hammer.py": "class Hammer:\n    def swing(self):\n        pass\n\n\ndef hit():\n    grip()\n\n\ndef grip():\n    pass\n",
}
USER = {
    "pyproject.toml": '[project]\nname = "builder"\ndependencies = ["toolbox>=1"]\n',
    "builder.py": "import toolbox\n\n\ndef build():\n    toolbox.hit()\n    toolbox.hit()\n\n\ndef start():\n    build()\n",
}


@pytest.fixture(scope="module")
def two_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a library and a repository that uses it."""
    folder = tmp_path_factory.mktemp("two")
    trees = [str(write_tree(folder / "sources" / name, tree)) for name, tree in (("library", LIBRARY), ("user", USER))]
    succeed(folder / "store", "index", *trees)
    return folder / "store"


def relations(store: Path, name: str, *options: str) -> dict[str, int]:
    """Distance of everything reached, by repository and name."""
    (meaning,) = run_json(store, "show", name, *options)["meanings"]
    found = {}
    for item in meaning["relations"]:
        entity = item["entity"]
        found[f"{entity['repository'].removeprefix('repositories/')} {entity['qualname']}"] = item["hops"]
    return found


def test_callers_in_other_repositories(two_store: Path) -> None:
    assert relations(two_store, "hit", "--callers") == {"user build": 1}
    assert relations(two_store, "grip", "--callers", "--hops", "3") == {
        "library hit": 1,
        "user build": 2,
        "user start": 3,
    }
    assert relations(two_store, "grip", "--callers", "--hops", "3", "--repository", "library") == {"library hit": 1}
    text = run_here(two_store, "show", "hit", "--callers").stdout
    assert "user: builder.py:4-6" in text
    assert "note: followed into other repositories through provided packages: user" in text
    assert "based on library, user (all current)" in text


def test_an_export_stays_in_its_repository(two_store: Path) -> None:
    done = run_here(two_store, "export", "library", "--format", "dot", "--around", "grip", "--hops", "3")
    assert "user:builder.py::build" not in done.stdout


CSHARP = """// Hit strikes once.
class Tool {
    static int Hit(int force) { return grip(force); }

    static int grip(int force) { return force; }
}
"""
SCRIPTS = {
    "lib/is-ready.js": "module.exports = (value) => value\n",
    "lib/app.js": (
        "const Emitter = require('node:events')\n"
        "const isReady = require('./is-ready')\n"
        "module.exports = class App extends Emitter {\n"
        "  go() { return [1].map((value) => isReady(value)) }\n"
        "}\n"
    ),
    "lib/hammer.js": "export class Hammer {}\n",
    "hammer.d.ts": "export class Hammer {}\n",
}
UNKNOWN = "calls in csharp are not resolved"


@pytest.fixture(scope="module")
def unresolved_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("csharp")
    tree = write_tree(folder / "tool", {"Tool.cs": CSHARP, "made.py": "def made(): pass\n", **SCRIPTS})
    with pytest.MonkeyPatch.context() as patch:
        # As if the language had no calls.
        patch.setitem(vars(FAMILY.method), "has_calls", False)
        run_here(folder / "store", "index", str(tree))
        yield folder / "store"


def test_show_says_that_calls_are_unknown(unresolved_store: Path) -> None:
    shown = run_here(unresolved_store, "show", "grip").stdout
    assert UNKNOWN in shown
    assert "resolved call sites" not in shown
    for shown in (
        run_here(unresolved_store, "show", "grip", "--callers").stdout,
        run_here(unresolved_store, "show", "Hit", "--callees").stdout,
    ):
        assert UNKNOWN in shown
        assert "through CALLS" not in shown
        assert "no unresolved calls" not in shown


def test_language_with_calls_has_no_such_note(unresolved_store: Path) -> None:
    shown = run_here(unresolved_store, "show", "made").stdout
    assert "0 resolved call sites" in shown
    assert "are not resolved" not in shown + run_here(unresolved_store, "show", "made", "--callers").stdout


def test_impact_says_that_calls_are_unknown(unresolved_store: Path) -> None:
    assert UNKNOWN in run_here(unresolved_store, "impact", "tool", "--symbol", "grip").stdout
    assert UNKNOWN not in run_here(unresolved_store, "impact", "tool", "--symbol", "made").stdout


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "who calls grip?",
            "Calls in csharp are not resolved; `Tool.grip` is mentioned in 1 definition.\n\n1. `Tool.Hit` `Tool.cs:3`",
        ),
        ("what breaks if I change grip?", "`Tool.grip` is mentioned in 1 definition."),
        ("what does Hit call?", "`Tool.Hit` calls 1 definition by name.\n\n1. `Tool.grip` `Tool.cs:5`"),
        ("where is isReady used?", "is answered with evidence"),
        ("which classes extend Emitter?", "1 class inherits from external code called `Emitter`."),
        ("what does go call?", "`exports.go` calls 1 definition of its repository"),
        ("where is Hammer defined?", "`Hammer` is defined in 2 places; the first is `lib/hammer.js"),
        ("where is Anvil raised?", "Not in the index"),
    ],
)
def test_a_question_is_answered_from_text_or_declared_unknown(
    unresolved_store: Path, question: str, answer: str
) -> None:
    assert answer in run_here(unresolved_store, "ask", question).stdout
