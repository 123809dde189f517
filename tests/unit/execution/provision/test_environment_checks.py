"""Imports are tried in a process of their own, and once more alone where the company may have spoilt them."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from repoquarry.execution.isolation.commands import CommandOutcome
from repoquarry.execution.provision.command_runner import CommandRunner
from repoquarry.execution.provision.python.code_imports import CodeImports, ExternalImport
from repoquarry.execution.provision.python.environment_checks import check_imports
from tests.source_trees import write_tree


class _Here:
    """Runs commands as they are, in a folder whose modules can be imported."""

    def __init__(self, workspace: Path) -> None:
        self.workspace = workspace
        self.asked: list[str] = []

    def run(self, command: Sequence[str], *_: Any) -> CommandOutcome:
        self.asked.append(Path(command[2]).read_text(encoding="utf-8"))
        environment = {"PYTHONPATH": str(self.workspace / "modules")}
        ended = subprocess.run(command, env=environment, capture_output=True, check=False)
        return CommandOutcome(ended.returncode, (ended.stdout + ended.stderr).decode(), 0.1)


def test_what_fails_in_company_alone_is_tried_alone(tmp_path: Path) -> None:
    modules = {
        "a_spoils.py": "import sys\nsys.spoilt = True\n",
        "b_shy.py": "import sys\nif hasattr(sys, 'spoilt'): raise RuntimeError('dictionary changed size during iteration')\n",
        "c_broken.py": "raise ValueError('always')\n",
        "d_lacks.py": "import absent_module\n",
    }
    write_tree(tmp_path / "modules", modules)
    runner = _Here(tmp_path)
    code = CodeImports(tuple(ExternalImport(name[:-3], where="run.py") for name in modules), (), (".",), 1)
    tried = check_imports(cast("CommandRunner", runner), Path(sys.executable), code, (), ())
    assert [(one.module, one.error.partition(":")[0]) for one in tried] == [
        ("a_spoils", ""),
        ("b_shy", ""),
        ("c_broken", "ValueError"),
        ("d_lacks", "ModuleNotFoundError"),
    ]
    assert len(runner.asked) == 3, "together, and those alone that the others may have spoilt"
