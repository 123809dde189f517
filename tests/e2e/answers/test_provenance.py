"""The line of provenance: the same on every surface, never cut, and with one count of unresolved calls."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry import v1 as pb
from repoquarry.server.text_format import fit_basis
from tests.e2e.service import Service, end, launch, run_here, write_tree

TREE = {
    "shop/orders.py": """
class Order:
    def replace(self, **fields):
        return Order()

    def split(self, part):
        return part

    def close(self):
        return None

    def total(self):
        return 1
""",
    "shop/use.py": """
import json
from pathlib import Path

from shop.orders import Order


def rename(text, order, thing):
    order.replace(size=2)
    thing.replace("a", "b")
    text.replace(b"a", b"b", 1)
    Path(text).suffix.replace(".", "")
    json.loads(text).replace(x=1)
    return text.split(",")


def shut(order, other):
    order.close()
    other.close()
    order.split(other)
    return order.unknown()


def sure():
    return [Order().total(), Order().total()]
""",
    "tests/test_shop.py": """
def test_close(order):
    order.close()
""",
}
COUNTS = {"Order.replace": 2, "Order.split": 1, "Order.close": 3, "Order.total": 0, "rename": 0}
"""Unresolved calls that may reach a definition: calls on strings, paths and external objects are none of them."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("provenance")
    write_tree(folder / "shop", TREE)
    write_tree(folder / "other", {"a.py": "def alone():\n    return 1\n"})
    for name in ("shop", "other"):
        assert run_here(folder / "store", "index", str(folder / name)).returncode == 0
    return folder


@pytest.fixture(autouse=True)
def indexed_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run commands in an indexed folder: in another one that is the clause."""
    monkeypatch.chdir(folder / "shop")


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Service]:
    service = launch(folder / "store", folder / "serve.log")
    yield service
    end(service)


def _surfaces(name: str) -> dict[str, tuple[str, ...]]:
    return {
        "explore": ("explore", name, "-r", "shop"),
        "show": ("show", name, "--callers", "-r", "shop"),
        "ask": ("ask", f"who calls {name}?", "-r", "shop"),
        "impact": ("impact", "shop", "--symbol", name),
        "tool": ("tool", "relations", f"target={name}", "kind=callers", "repository=shop"),
    }


@pytest.mark.parametrize("name", COUNTS)
def test_every_surface_counts_the_same_unresolved_calls(folder: Path, name: str) -> None:
    counts = {}
    for surface, command in _surfaces(name).items():
        text = run_here(folder / "store", *command).stdout
        counts[surface] = [int(found) for found in re.findall(r"(\d+) (?:unresolved calls?|possible)\b", text)]
        whole = " ".join(text.split())
        assert re.search(r"based on shop@\w{12} \(no git, current\)", whole), surface
        said = f"{COUNTS[name]} unresolved call{'s' * (COUNTS[name] != 1)} may add callers"
        assert (said in whole) == bool(COUNTS[name]), surface
    assert {count for found in counts.values() for count in found} == ({COUNTS[name]} - {0}), counts
    body = json.loads(run_here(folder / "store", "show", name, "-r", "shop", "--json").stdout)
    assert int(body["basis"]["repositories"][0]["unresolved_calls"].get("relevant", 0)) == COUNTS[name]


COMMANDS = (
    ("explore", "Order.close"),
    ("show", "Order.close"),
    ("show", "rename", "--callees"),
    ("ask", "what does rename call?"),
    ("impact", "shop", "--symbol", "Order.close"),
    ("locate", "close", "an", "order"),
    ("search", "order"),
    ("query", "MATCH (f:Function) RETURN f.name"),
    ("context", "shop"),
    ("duplicates", "shop"),
    ("tool", "tree", "repository=shop"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_an_answer_ends_with_one_line_of_provenance(folder: Path, command: tuple[str, ...]) -> None:
    done = run_here(folder / "store", *command)
    lines = (done.stdout + done.stderr).splitlines()
    based = [line for line in lines if line.startswith("based on")]
    assert len(based) == 1, lines[-12:]
    assert re.fullmatch(r"based on [^()]+ \([^()]+\)(; \d+ unresolved calls? may add calle(rs|es))?", based[0])
    assert not any(line.startswith("basis:") for line in lines)
    whole = run_here(folder / "store", *command, "--basis")
    assert "basis: shop at revision" in whole.stdout + whole.stderr
    plain = run_here(folder / "store", *command, "--json")
    if plain.stdout.startswith("{") and '"basis"' in plain.stdout:
        assert f'"summary": "{based[0]}"' in plain.stdout


def test_several_repositories_are_one_line(service: Service) -> None:
    answer = service.client().code.search(pb.SearchRequest(query="return"))
    assert answer.basis.summary == "based on other, shop (all current)"
    many = pb.AnswerBasis(summary=answer.basis.summary + "; 3 unresolved calls may add callers")
    assert [fit_basis(many, limit) for limit in (200, 60, 10)] == [many.summary, answer.basis.summary, ""]
