"""Answers of `ask` state a value, a "no" or a count only for the whole name of the question; samples come last and are named."""

from pathlib import Path

import pytest

from tests.e2e.service import succeed, write_tree

_TREE = {
    "queue/defaults.py": (
        "from queue.options import Namespace, Option\n\nNAMESPACES = Namespace(\n    task=Namespace(\n"
        "        acks_late=Option(False, type='bool'),\n        limit=Option(\n            30, type='int'),\n    ),\n"
        "    result_expires=Option(60),\n)\nCACHE_CONTROL = 'max-age=172800'\nDEFAULT_TIMEOUT = Timeout(timeout=5.0)\nother = 3\n"
    ),
    "queue/client.py": (
        "from queue.defaults import DEFAULT_TIMEOUT\n\n\nclass Client:\n    retries = 3\n    retry_codes = (500, 502)\n\n"
        "    def __init__(\n        self,\n        timeout: Timeout = DEFAULT_TIMEOUT,\n    ) -> None:\n        self.closed = False\n\n"
        "    def read(self):\n        rest = 7\n\n    def wait(self, seconds):\n"
        '        """Wait for an answer. The default is 30 seconds."""\n\n\n'
        "class Backend:\n    pass\n\n\nclass RedisBackend(Backend):\n    pass\n\n\nclass Settings:\n    @property\n"
        "    def result_backend(self):\n        raise ValueError('current expects a draft')\n\n\n"
        "def join_parts(parts):\n    return '/'.join(parts)\n"
    ),
    "queue/compose.py": "def compose(a):\n    def inner(b):\n        return b\n    return inner(a)\n\n\ndef every():\n    return compose(1)\n",
    "queue/app.py": "from queue.client import Client\n\napp = Client()\n",
    "tests/client/__init__.py": "timeout = 99\n",
    "examples/app.py": "task_acks_late = True\nworker_pool = 'solo'\n",
    "reader.py": "class Reader:\n    def read(self):\n        builder = None\n",
    "builders.py": "class ReaderBuilder:\n    strict = True\n    depth = 12\n",
    "docs/steps.md": (
        "# Guide\n\nAll about queues.\n\n## Custom steps\n\nA custom step is a class with a `start` method:\n\n"
        "```python\nclass MyStep:\n    def start(self): ...\n```\n\n## Workers\n\nWorkers run.\n"
    ),
    "pyproject.toml": '[project]\nname = "taskqueue"\ndescription = "Queue of tasks for workers."\n[project.scripts]\ntq = "queue.app:app"\n',
}
_ANSWERS = [
    ("Where is the default value of task_acks_late configured?", "`NAMESPACES.task.acks_late` is `False`.", "`task_acks_late` is"),
    ("What is the default of NAMESPACES.task.limit?", "is `30`", ""),
    ("What is the default of worker_pool?", "`worker_pool` is set to `'solo'` in an example", "`worker_pool` is `"),
    ("Which settings control caching?", "", "`CACHE_CONTROL` is"),
    ("What is the default timeout of a client?", "`timeout` is `DEFAULT_TIMEOUT`, which is `Timeout(timeout=5.0)`", "tests/client"),
    ("What are the defaults of ReaderBuilder?", "`strict` is `True` and `depth` is `12`.", "`None`"),
    ("What are the defaults of Client?", "`closed` is `False`", "rest"),
    ("What is the default of seconds in Client.wait?", "The default is 30 seconds.", ""),
    ("Which classes implement a result backend?", "1 class inherits from `Backend`.", "No methods"),
    ("What calls compose and why?", "`compose` has 1 caller.", "Questions that can"),
    ("Where does the error 'current expects a draft' come from?", "`Settings.result_backend`", ""),
    ("What are the main parts of this project?", "Queue of tasks for workers.", "`join_parts`"),
    ("What are the entry points?", "the console script is `tq`", "no console script"),
    ("How do I write a custom step?", "has a section “Custom steps” (`docs/steps.md:5`)", ""),
]  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    write_tree(folder / "taskqueue", _TREE)
    succeed(folder / "store", "index", str(folder / "taskqueue"))
    return folder / "store"


@pytest.mark.parametrize(("question", "stated", "not_stated"), _ANSWERS)
def test_answers_state_only_what_was_asked(store: Path, question: str, stated: str, not_stated: str) -> None:
    text = succeed(store, "ask", question, COLUMNS="400").stdout
    assert stated in text
    assert not not_stated or not_stated not in text


def test_how_to_quotes_the_code_block_before_the_code(store: Path) -> None:
    text = succeed(store, "ask", "How do I write a custom step?").stdout
    assert text.index("class MyStep:") < text.index("Places")
