"""The compliance suite as a package outside imports it: the example of docs/guides/engines.md, with an engine that keeps and one that fails."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/guides/engines.md").read_text(encoding="utf-8")
ENGINE = """
from repoquarry.graphstore.engines.kglite.engine import KgliteEngine


class MyEngine(KgliteEngine):
    def delete_repository(self, repository):
        summary = super().delete_repository(repository)
        {after}
        return summary
"""
CHOSEN = "test_a_package_stays_as_long_as_somebody_points_at_it or test_random_changes_end_where_the_whole_graph_ends"


@pytest.mark.parametrize(
    ("after", "result"),
    [("pass", "4 passed"), ("self.replace_repository(__import__('suite_graphs').random_graph('left', 3, 3))", "1 failed, 3 passed")],
)  # fmt: skip
def test_an_engine_outside_proves_itself(tmp_path: Path, after: str, result: str) -> None:
    [example] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "test_my_engine.py").write_text(example)
    (tmp_path / "my_engine.py").write_text(ENGINE.format(after=after))
    (tmp_path / "suite_graphs.py").write_text("from repoquarry.graphstore.testing.sample_graphs import random_graph\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", CHOSEN, "test_my_engine.py"]
    paths = os.pathsep.join([str(ROOT), str(tmp_path)])
    ended = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths}, check=False
    )
    assert result in ended.stdout, ended.stdout + ended.stderr
