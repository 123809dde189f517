"""Tests are told from code by more than the name of a folder."""

from __future__ import annotations

from pathlib import Path

from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.integration.ingest.conftest import Rows, write_tree

FILES: dict[str, str | bytes] = {
    "web/__init__.py": "",
    "web/commands.py": "from web.test import get_runner\n\n\ndef run():\n    return get_runner()\n",
    "web/test/__init__.py": "from web.test.runner import get_runner\n",
    "web/test/runner.py": "def get_runner():\n    return 1\n",
    "web/test/test_runner.py": "def helper():\n    return 1\n",
    "web/test/cases.py": "from web.test import test_runner\n\n\ndef helper():\n    return test_runner\n",
    "testing/approx.py": "class TestApprox:\n    def test_near(self):\n        def check(): ...\n\n    def testFar(self): ...\n",
    "testing/fakes.py": "def fake():\n    return 1\n\n\ndef testify():\n    return 1\n",
}


def test_tools_for_testing_are_code_and_tests_elsewhere_are_tests(
    tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    index_repository(str(write_tree(tmp_path / "web", FILES)), store, settings)
    found = rows("MATCH (m:Module) WHERE m.is_test RETURN m.path AS path ORDER BY path")
    assert [path for (path,) in found] == ["testing/approx.py", "web/test/cases.py", "web/test/test_runner.py"]
    methods = rows("MATCH (f:Function) WHERE f.is_test AND f.path = 'testing/approx.py' RETURN count(f) AS n")
    assert methods == [(3,)]
