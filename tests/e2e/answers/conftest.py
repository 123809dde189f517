"""One store and one service for the tests of names and packs."""

import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.service import Service, end, launch, run_here, write_tree

_CONTEXT = '''class Context:
    def json(self, indent):
        """Format the values of the context."""
        lines = ["{"]
        for name, value in sorted(vars(self).items()):
            if name.startswith("_"):
                continue
            text = repr(value).replace("'", '"')
            lines.append(" " * indent + name + ": " + text)
        lines.append("}")
        joined = "\\n".join(lines)
        if len(joined) > 80:
            joined = joined[:79] + "…"
        return joined

    def jsonify(self):
        return self.json(2)


class Answer:
    def json(self):
        return ""

    def close(self):
        return 1


class Stream:
    def close(self):
        return 2
'''
_WEB_FILES = {
    "web/context.py": _CONTEXT,
    "web/copy.py": textwrap.dedent(_CONTEXT[_CONTEXT.index("    def json") : _CONTEXT.index("    def jsonify")]),
    "web/json.py": "def dump(value):\n    return value\n",
    "web/start.py": "from web.context import Context\n\n\ndef start():\n    return Context().json(1)\n",
    "other/context.js": "export function parse(text) { return text }\n",
}
_MAIL = '''"""Mail."""


class Sender:
    """Send letters."""

    def send(self, text):
        """Send one letter and report its length."""
        if not text:
            raise ValueError("empty")
        return len(text)


class FastSender(Sender):
    def send(self, text):
        return 0


def deliver(texts):
    sender = Sender()
    return [sender.send(text) for text in texts]
'''
_MAIL_TEST = """from mail import Sender


def test_send():
    assert Sender().send("a") == 1
"""
_MAIL_FILES = {
    "mail.py": _MAIL + "".join(f"\n\ndef user{n}():\n    return deliver(['{n}'])\n" for n in range(40)),
    "tests/test_mail.py": _MAIL_TEST,
    "CHANGELOG.md": "# Changes\n\n- `deliver` takes a list.\n",
    ".github/ISSUE_TEMPLATE/bug.md": "Does `deliver` fail?\n",
    "docs/guide.md": "# Guide\n\nCall `deliver` with a list of texts.\n",
}
_TREES = {
    "web": _WEB_FILES,
    "shop": {"till.py": "def charge():\n    return 1\n"},
    "mail": _MAIL_FILES,
    "other": {"post.py": "def deliver(letters):\n    return letters\n"},
}


@pytest.fixture(scope="package")
def names_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("names")
    for name, files in _TREES.items():
        write_tree(folder / name, files)
        assert run_here(folder / "store", "index", str(folder / name)).returncode == 0
    return folder / "store"


@pytest.fixture(scope="package")
def names_service(names_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = launch(names_store, tmp_path_factory.mktemp("service") / "serve.log")
    yield running
    end(running)
