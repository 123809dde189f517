"""Rules of answers without a model, for every intent: the whole name only, samples last, code before files; and values by assignment."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from repoquarry.agent.decisions import Answer
from repoquarry.agent.questions.answers import QuestionReader
from repoquarry.agent.questions.intents import INTENTS, Intent, SubjectKind
from repoquarry.code.reader import CodeReader
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from tests.e2e.service import succeed, write_tree

_TREE = {
    "shop/widget.py": (
        'class WidgetError(Exception):\n    pass\n\n\ndef helper():\n    return 1\n\n\ndef widget(size=3):\n    """Build it."""\n'
        "    if size < 0:\n        raise WidgetError('size is negative')\n    return helper()\n\n\nclass Gadget:\n    def run(self):\n"
        "        return widget()\n\n\nclass SmallGadget(Gadget):\n    def run(self):\n        return 2\n\n\nGADGET_LIMIT = 12\n"
    ),
    "shop/use.py": "from shop.widget import Gadget, WidgetError, widget\n\n\ndef use():\n    return widget(), Gadget().run(), WidgetError('a')\n",
    "examples/a.py": (
        "from shop.widget import Gadget, WidgetError, widget\n\nGADGET_LIMIT = 99\nwidget()\n\n\nclass Mine(Gadget):\n    pass\n\n\n"
        "def gadget_example():\n    raise WidgetError('size is negative')\n"
    ),
    "benchmarks/b.py": "from shop.widget import widget\n\n\ndef bench():\n    return widget()\n",
    "docs/guide.md": "# Guide\n\n## Build a widget\n\nCall `widget`:\n\n```python\nwidget(4)\n```\n",
    "docs/conf.py": "GADGET_LIMIT = 98\n",
    "tests/test_widget.py": (
        "from shop.widget import Gadget, WidgetError, widget\n\nGADGET_LIMIT = 97\n\n\ndef test_widget():\n    assert widget() == Gadget().run()\n"
        "\n\nclass TestGadget(Gadget):\n    pass\n\n\ndef test_raises():\n    raise WidgetError('size is negative')\n"
    ),
    "shop/__main__.py": "from shop.use import use\n\nif __name__ == '__main__':\n    use()\n",
    "examples/run.py": "if __name__ == '__main__':\n    print()\n",
    "pyproject.toml": '[project]\nname = "shop"\ndescription = "Shop of widgets."\n',
}
_SUBJECTS = {
    "how to": "build a widget",
    "tests": "widget",
    "raised": "WidgetError",
    "value": "GADGET_LIMIT",
    "callees": "widget",
    "callers": "widget",
    "implementers": "Gadget",
    "impact": "widget",
    "definition": "widget",
    "summary": "widget",
    "entry points": "",
}
"""A name of the tree that each intent has an answer for."""
_NAMED = [intent for intent in INTENTS if "X" in intent.example]
_STATED = re.compile(r"` is `|` is raised|\b\d+ (?:caller|test|class|definition|method|field|parameter|place|line)")
_LAST = re.compile(r"^(?:tests|examples|benchmarks|docs)/")
Ask = Callable[[str], Answer]


@pytest.fixture(scope="module")
def open_tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str, dict[str, str]], Ask]]:
    """Function that indexes a tree under a name and returns a function that asks about it."""
    stores: list[Store] = []

    def build(name: str, files: dict[str, str]) -> Ask:
        folder = tmp_path_factory.mktemp(name)
        write_tree(folder / name, files)
        succeed(folder / "store", "index", str(folder / name))
        store = Store.open(StoreSettings(Path(folder / "store")))
        stores.append(store)
        reader = CodeReader(store)
        return lambda text: QuestionReader(text, (name,), reader, lambda: None).answer()

    yield build
    for store in stores:
        store.close()


@pytest.fixture(scope="module")
def ask(open_tree: Callable[[str, dict[str, str]], Ask]) -> Ask:
    return open_tree("shop", _TREE)


def question(intent: Intent, name: str) -> str:
    return intent.example.replace("X", f"`{name}`") if intent.subject is not SubjectKind.CLAUSE else f"How do I {name}?"


@pytest.mark.parametrize("intent", _NAMED, ids=lambda intent: intent.name)
@pytest.mark.parametrize("part", ["Gadg", "WIDG", "limit control", "gadget_", "small widget"])
def test_nothing_is_stated_for_a_part_of_a_name(ask: Ask, intent: Intent, part: str) -> None:
    lead = ask(question(intent, part)).text.split("\n")[0]
    assert not _STATED.search(lead), lead


@pytest.mark.parametrize("intent", INTENTS, ids=lambda intent: intent.name)
def test_samples_and_tests_come_after_the_product(ask: Ask, intent: Intent) -> None:
    answer = ask(question(intent, _SUBJECTS[intent.name]))
    paths = [place.path for place in answer.places if not place.path.endswith(".md")]
    if intent.name == "tests":
        assert paths[0] == "tests/test_widget.py"
        return
    assert paths
    assert not _LAST.match(paths[0]), paths
    kinds = [bool(_LAST.match(path)) for path in paths]
    assert intent.subject is SubjectKind.CLAUSE or kinds == sorted(kinds), paths


@pytest.mark.parametrize(
    "intent",
    [one for one in _NAMED if one.name not in ("value", "raised", "implementers")],
    ids=lambda intent: intent.name,
)
def test_a_function_wins_over_the_file_of_its_name(ask: Ask, intent: Intent) -> None:
    answer = ask(question(intent, "widget"))
    assert "`widget`" in answer.text.split("\n")[0]
    assert "`shop/widget.py`" not in answer.text.split("\n")[0]


_VALUES = {
    "app/defaults.py": (
        "from datetime import timedelta\n\nNAMES = Space(\n    result=Space(\n        expires=Option(\n            timedelta(days=1),\n"
        "            type='float',\n        ),\n    ),\n)\nDOWNLOAD_DELAY = 0\nRATE_THRESHOLD = 'rateThreshold'\nDEFAULT_RATE_THRESHOLD = 50\n"
        "BODY_LIMIT = envint('BODY_LIMIT', '10000')\nPOOL_TIMEOUT = 2 * 60\n"
    ),
    "app/forms.py": (
        "class EmailForm:\n    email = LowercaseEmailField(max_length=254)\n    size = Field(5, gt=0)\n\n\n"
        'class Client:\n    """Client.\n\n    Example::\n\n        retries = 9\n    """\n\n    closed = False\n\n    def __init__(self):\n'
        "        self._poolTimeout = None\n"
    ),
    "app/fetch.py": "from app.defaults import DOWNLOAD_DELAY\n\n\ndef fetch(settings):\n    return settings.get('BODY_LIMIT'), DOWNLOAD_DELAY\n",
    "app/extra.py": "class Slow:\n    download_delay = None\n    pool_open_connections = 5\n",
    "app/Safelist.java": (
        "/**\n <pre>\n  String bodyHtml = \"<p>5\";\n </pre>\n */\nclass Safelist {\n  static final String ALL = \":all\";\n"
        "  /** Sets the size. <b>The default maximum is 2MB</b>. */\n  void maxSize(int bytes) {}\n}\n"
    ),
    "app/emitter.js": (
        "const Emitter = require('events');\nclass A extends Emitter {}\n"
        "class B extends require('events').Emitter {}\nmodule.exports = { A, B }\n"
    ),
    "app/other.js": "const { Emitter } = require('events');\nclass C extends Emitter {}\nmodule.exports = C\n",
    "app/readers.py": (
        '"""Readers of files."""\n\n\nclass BaseReader:\n    pass\n\n\nclass HtmlReader(BaseReader):\n    pass\n\n\nclass BaseCacheThing:\n    pass\n'
        "\n\ndef worker():\n    class BaseReader:\n        pass\n    return BaseReader\n"
    ),
    "app/writers.py": "class BaseWriter:\n    pass\n" + "".join(f"\n\nclass Writer{n}(BaseWriter):\n    pass\n" for n in range(7)),
    "docker/.env.example": "BODY_LIMIT=10000\n",
    "jmh/Bench.java": "class Bench {\n  public static void main(String[] args) {}\n}\n",
    "samples/conf.py": "result_expires = 30\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def ask_values(open_tree: Callable[[str, dict[str, str]], Ask]) -> Ask:
    return open_tree("client", _VALUES)


@pytest.mark.parametrize(
    ("text", "stated", "not_stated"),
    [
        ("What is the default of result_expires?", "`NAMES.result.expires` is `timedelta(days=1)`.", "30"),
        ("What is the default of DOWNLOAD_DELAY?", "`DOWNLOAD_DELAY` is `0`.", "download_delay"),
        ("What is the default rate threshold?", "`DEFAULT_RATE_THRESHOLD` is `50`.", "rateThreshold"),
        ("What is the default of BODY_LIMIT?", "`BODY_LIMIT` is `'10000'`.", "different values"),
        ("What is the pool timeout by default?", "`POOL_TIMEOUT` is `2 * 60`.", "places"),
        ("What are the defaults of EmailForm?", "`email` is `LowercaseEmailField(max_length=254)` and `size` is `5`.", "is `max_length"),
        ("What are the defaults of Client?", "`closed` is `False` and `_poolTimeout` is `None`.", "retries"),
        ("What are the defaults of Safelist?", '1 field of `Safelist` has a literal default: `ALL` is `":all"`.', "bodyHtml"),
        ("What is the default of maxSize?", "says: “The default maximum is 2MB.”", "<b>"),
        ("Which settings are there for pool handling?", "Names with words of `pool handling`", " is `"),
        ("What does fetch do and which settings control it?", "`fetch` names `BODY_LIMIT` and `DOWNLOAD_DELAY`.", "parameter"),
        ("How many connections does the pool open by default?", "Numbers near in words:\n\n1. `pool_open_connections`", "` is `"),
        ("Which classes extend Emitter?", "3 classes inherit from external code called `Emitter`.", "1 class"),
        ("Where is Safelist defined?", "`Safelist` is the class at `app/Safelist.java:6-10`.", "places"),
        ("Which readers exist?", "1 class inherits from `BaseReader`.", "ambiguous"),
        ("Which classes implement a reader?", "1 class inherits from `BaseReader`.", "ambiguous"),
        ("Which classes implement a file reader?", "", "inherit from"),
        ("Which classes implement a queue cache?", "", "inherit from"),
        ("Where does the error 'no such text' come from?", "No line of code has the text `no such text`.", "The text is in"),
        ("What are the entry points?", "No console script, main function or other entry point of the product is known.", "2 entry points"),
    ],
)  # fmt: skip
def test_values_and_counts_are_those_of_the_whole_name(
    ask_values: Ask, text: str, stated: str, not_stated: str
) -> None:
    answer = ask_values(text).text
    assert stated in answer
    assert not_stated not in answer.partition("\n\nWithout a model")[0].partition("\n\n1.")[0]


def test_all_of_a_dozen_kinds_are_listed(ask_values: Ask) -> None:
    text = ask_values("What kinds of writers are there?").text
    assert all(f"`Writer{n}`" in text for n in range(7))


def test_called_definitions_of_tests_are_counted(open_tree: Callable[[str, dict[str, str]], Ask]) -> None:
    files = {
        "job.py": "class Job:\n    def run(self):\n        return 1\n\n\ndef start(job: Job):\n    return job.run()\n",
        "tests/test_job.py": "from job import Job, start\n\n\nclass FakeJob(Job):\n    def run(self):\n        return 2\n\n\n"
        "def test_start():\n    assert start(FakeJob()) == 2\n",
    }
    assert (
        "calls 2 definitions of its repository (1 of them in tests)."
        in open_tree("jobs", files)("What does `start` call?").text
    )
