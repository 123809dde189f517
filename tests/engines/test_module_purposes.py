"""Purposes of modules on every engine: written by a scripted chat model, kept for unchanged files, and read before other lines."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from repoquarry.agent.model.client import PurposeWriter, clean_sentence
from repoquarry.agent.settings import ModelSettings
from repoquarry.code.excerpts.context import ContextRequest, build_context
from repoquarry.graphstore.graph_engine import QueryLimits
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import IndexProgress, IndexReport, index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.e2e.service import run_here
from tests.scripted_chat import Reply, ScriptedChat, scripted_chat
from tests.source_trees import write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")

_FILES: Mapping[str, str | bytes] = {
    "shop/cart.py": '"""Carts."""\n\n\nclass Cart:\n    """A cart."""\n\n    def total(self):\n        return 40 + 2\n',
    "shop/tax.py": "def add_tax(price):\n    return price * 1.2\n",
    "shop/empty.py": "",
}
_NUMBERED = re.compile(r"^(\d+)\. (\S+\.py)", re.MULTILINE)


def _content(request: Mapping[str, Any]) -> str:
    return str(request["messages"][-1]["content"])


def _describe_all(request: dict[str, Any]) -> Reply:
    """Describe every module of a request by its path."""
    return Reply("\n".join(f"{number}. Serves `{path}`." for number, path in _NUMBERED.findall(_content(request))))


class Indexer:
    """A store, a tree, and the stages that runs reported."""

    def __init__(self, store: Store, tree: Path) -> None:
        self.store, self.tree = store, tree
        self.messages: list[str] = []

    def index(self, chat: ScriptedChat | None = None) -> IndexReport:
        def report(progress: IndexProgress) -> None:
            if progress.stage == "describe" and progress.message:
                self.messages.append(progress.message)

        options = {"base_url": chat.base_url, "api_key": "none"} if chat else {}
        settings = ModelSettings("openai:scripted", options, attempts=2, retry_seconds=0)
        writer = PurposeWriter(settings, lambda: False) if chat else None
        return index_repository(str(self.tree), self.store, IngestSettings(workers=1), report=report, describer=writer)

    def purposes(self) -> dict[Any, Any]:
        text = "MATCH (m:Module) WHERE m.purpose IS NOT NULL RETURN m.path, m.purpose"
        return {str(path): purpose for path, purpose in self.store.engine.run(text, {}, QueryLimits()).rows}

    def module_lines(self) -> str:
        blocks = build_context(self.store, ContextRequest("shop")).blocks
        return next(block.text for block in blocks if block.name == "modules")


def test_purposes_are_stored_kept_and_read_first(engine_settings: StoreSettings, tmp_path: Path) -> None:
    tree = write_tree(tmp_path / "trees" / "shop", dict(_FILES))
    with Store.open(engine_settings, writable=True) as store, scripted_chat(_describe_all, _describe_all) as chat:
        indexer = Indexer(store, tree)
        plain = indexer.index()
        assert indexer.purposes() == {}
        assert "shop/tax.py: Defines add_tax." in indexer.module_lines()

        assert not indexer.index(chat).unchanged
        both = {"shop/cart.py": "Serves shop/cart.py.", "shop/tax.py": "Serves shop/tax.py."}
        assert indexer.purposes() == both
        assert "shop/tax.py: Serves shop/tax.py." in indexer.module_lines()
        assert indexer.messages == ["purposes of 2 of 2 modules written (100 tokens in, 10 out)"]
        assert "class Cart: A cart. (total)" in _content(chat.requests[0])
        assert "40 + 2" not in _content(chat.requests[0])

        assert indexer.index(chat).unchanged
        assert indexer.index().unchanged
        write_tree(tree, {"shop/tax.py": "def add_tax(price):\n    return price * 1.3\n"})
        assert not indexer.index().unchanged
        assert indexer.purposes() == {"shop/cart.py": both["shop/cart.py"]}
        indexer.index(chat)
        assert indexer.purposes() == both
        assert [_NUMBERED.findall(_content(one))[0][1] for one in chat.requests] == ["shop/cart.py", "shop/tax.py"]
        assert plain.files == 3


def test_failing_model_leaves_rule_made_lines_until_the_next_run(tmp_path: Path) -> None:
    tree = write_tree(tmp_path / "trees" / "shop", dict(_FILES))
    failures = [Reply(status=503, error="overloaded")] * 2
    invalid = Reply("1. <b>Bold</b>\n2. Adds taxes.\n3. There is no third module.")
    with Store.open(StoreSettings(tmp_path), writable=True) as store, scripted_chat(*failures, invalid) as chat:
        indexer = Indexer(store, tree)
        assert indexer.index(chat).files == 3
        assert "0 of 2 modules" in indexer.messages[0]
        assert "overloaded" in indexer.messages[0]
        assert indexer.purposes() == {}
        assert "shop/cart.py: Cart: A cart." in indexer.module_lines()
        indexer.index(chat)
        assert indexer.purposes() == {"shop/tax.py": "Adds taxes."}
        assert "shop/cart.py: Cart: A cart." in indexer.module_lines()
        assert indexer.index(chat).unchanged


def test_setting_turns_purposes_on_for_index_jobs(tmp_path: Path) -> None:
    tree, store = write_tree(tmp_path / "shop", dict(_FILES)), tmp_path / "store"
    with scripted_chat(_describe_all) as chat:
        variables = {
            "REPOQUARRY_AGENT_MODEL_NAME": "openai:scripted",
            "REPOQUARRY_AGENT_MODEL_OPTIONS": f'{{"base_url": "{chat.base_url}", "api_key": "none"}}',
        }
        assert run_here(store, "index", str(tree), **variables).returncode == 0
        assert chat.requests == []
        done = run_here(store, "index", str(tree), REPOQUARRY_AGENT_MODEL_MODULE_PURPOSES="true", **variables)
    assert "purposes of 2 of 2 modules written (100 tokens in, 10 out)" in done.stderr
    assert "shop/tax.py: Serves shop/tax.py." in run_here(store, "context", "shop").stdout


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Parses `a.toml`, e.g. of wheels.", "Parses a.toml, e.g. of wheels."),
        ("x" * 161, ""),
        ("Two. Sentences.", ""),
        ("See https://host.example/a", ""),
        ("Hidden\u202etext", ""),
    ],
)
def test_clean_sentence_accepts_one_plain_sentence(text: str, sentence: str) -> None:
    assert clean_sentence(text) == sentence
