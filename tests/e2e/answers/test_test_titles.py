"""Functions without names of their own: tests are shown by their titles, lambdas by the parameters that receive them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.e2e.service import run_json, succeed
from tests.source_trees import write_tree

TESTS = """import { send } from '../src/send'
describe('res', () => {
  describe('.json()', () => {
    it('should send json', () => { send() })
  })
  it(`sends`, () => { send() })
})
test('alone', function named() { send() })
"""


@pytest.mark.parametrize("suffix", ["js", "ts"])
def test_a_test_is_shown_by_the_titles_of_its_suites_and_its_own(tmp_path: Path, suffix: str) -> None:
    tree = {f"src/send.{suffix}": "export function send() {}\n", f"test/cases.test.{suffix}": TESTS}
    succeed(tmp_path / "store", "index", str(write_tree(tmp_path / "shop", tree)))
    found = run_json(tmp_path / "store", "impact", "shop", "--symbol", "send")
    tests = {test["entity"]["name"]: test["entity"]["qualname"] for test in found["test_files"][0]["tests"]}
    assert tests == {
        "res > .json() > should send json": "<lambda1>.<lambda1>.<lambda1>",
        "res > sends": "<lambda1>.<lambda2>",
        "named": "named",
    }
    listed = succeed(tmp_path / "store", "impact", "shop", "--symbol", "send", "--format", "junit-list").stdout
    assert f"test/cases.test.{suffix}::res > .json() > should send json" in listed.splitlines()


LAMBDAS = {
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
}


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
def test_a_lambda_is_shown_with_the_parameter_that_receives_it(tmp_path: Path, called: str, names: str) -> None:
    succeed(tmp_path / "store", "index", str(write_tree(tmp_path / "shop", LAMBDAS)))
    shown = succeed(tmp_path / "store", "show", called, "--callers").stdout
    assert re.findall(r"\S*<lambda[^>]*>", shown) == names.replace("> ", ">\n").split("\n")
    unchanged = succeed(
        tmp_path / "store", "query", "MATCH (f:Function {kind: 'lambda'}) RETURN f.id ORDER BY f.id"
    ).stdout
    assert ": " not in unchanged.partition("\n")[2].partition("rows")[0]
