"""Tests without names of their own are shown by their titles, those of their suites included."""

from __future__ import annotations

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
