"""Grader of GitTaskBench outputs: runs the test scripts of the benchmark in the sandbox and parses their verdicts."""

from __future__ import annotations

import json
import re
import shutil
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from repoquarry.agent.errors import EvaluationError
from repoquarry.agent.settings import AgentSettings
from repoquarry.evaluation.gittaskbench_tasks import BenchmarkTask
from repoquarry.execution.isolation.registry import choose_isolation
from repoquarry.execution.provision.command_runner import CommandAccess, CommandRunner
from repoquarry.execution.provision.provisioning_run import open_cache, provision
from repoquarry.execution.provision.python import install_plan
from repoquarry.execution.provision.python.code_imports import read_imports
from repoquarry.execution.provision.report import ImportNeed, ProvisioningRequest, ProvisioningResult
from repoquarry.languages.manifests.python_requirements import canonical, read_requirements


def choose_output(folder: Path, *, several: bool) -> Path | None:
    """Return `output.*`, otherwise `output*`, otherwise the content of a folder `output*`, or the folder for several outputs.

    None if nothing matches. Differs from the published code in two cases without a well-defined published result: names are sorted
    instead of taken in file system order, and an empty list gives None instead of an IndexError.
    """
    if not folder.is_dir():
        return None
    found = _files(folder, "output.*") or _files(folder, "output*")
    if not found:
        inner = sorted(path for path in folder.glob("output*") if path.is_dir())
        found = [path for place in inner for path in sorted(place.glob("*"))]
    if not found:
        return None
    if several:
        return folder
    fitting = [path for path in found if path.is_file() and path.suffix != ".py" and path.stat().st_size > 0]
    return fitting[0] if fitting else None


def _files(folder: Path, pattern: str) -> list[Path]:
    return sorted(path for path in folder.glob(pattern) if path.is_file())


_SECONDS = 600.0


@dataclass(frozen=True)
class Grade:
    """Verdict on one task, in the benchmark's terms."""

    process: bool
    """True if an output of the requested kind exists; counts for ECR."""
    result: bool
    """True if the output meets the benchmark's criterion; counts for TPR."""
    comments: str
    output: str = ""
    """Name of the graded file or folder; empty if there was none."""
    grader: str = ""
    """Why the test script did not give a verdict; empty if it did."""
    crashed: bool = False
    """True if the test script started and ended without a verdict on the output."""


class Grader:
    """Grader of the tasks of one checkout. Test scripts with equal imports share one environment."""

    def __init__(
        self, root: Path, folder: Path, settings: AgentSettings, say: Callable[[str], None] = lambda _: None
    ) -> None:
        self._root, self._settings, self._say = root, settings, say
        self._isolation = choose_isolation(settings.workspace.isolation, settings.workspace.container_image)
        self._folder = folder.resolve()
        self._folder.mkdir(parents=True, exist_ok=True)
        self._environments: dict[tuple[str, ...], ProvisioningResult] = {}
        self._lock = threading.Lock()
        self._pins = _pins(root / "requirements.txt")

    def grade(self, task: BenchmarkTask, outputs: Path, results: Path) -> Grade:
        """Grade the output folder and append a line to `results` (the benchmark's `results.jsonl`)."""
        chosen = choose_output(outputs, several=task.several_outputs)
        if chosen is None:
            there = sorted(path.name for path in outputs.iterdir()) if outputs.is_dir() else []
            comment = "No valid output found." if there else "No files found in output directory."
            return _written(results, Grade(False, False, comment))
        environment = self._environment(task)
        if environment.environment is None or environment.layer is None:
            missing = "; ".join(environment.missing)
            return _written(
                results, Grade(False, False, f"no environment for the test script: {missing}", chosen.name, missing)
            )
        return _written(results, self._run(task, chosen, environment))

    def _environment(self, task: BenchmarkTask) -> ProvisioningResult:
        """Provision the environment of a test script: its imports, in the versions that the benchmark pins."""
        if not task.test_script.is_file():
            raise EvaluationError(f"{task.id} has no test script at {task.test_script}")
        with self._lock:
            tree = self._folder / f"script-{task.id}"
            shutil.rmtree(tree, ignore_errors=True)
            tree.mkdir()
            shutil.copy(task.test_script, tree / "script.py")
            wanted = wanted_by(tree, self._pins)
            if wanted not in self._environments:
                (tree / "requirements.txt").write_text("".join(f"{line}\n" for line in wanted), encoding="utf-8")
                self._say(f"environment of test scripts: {', '.join(wanted) or 'the standard library'}")
                request = ProvisioningRequest(
                    tree, self._folder, layer=f".venv-{len(self._environments)}", language="python"
                )
                found = provision(request, self._settings)
                if found.environment:
                    open_cache(self._settings).hold(found.environment, self._folder)
                self._environments[wanted] = found
            return self._environments[wanted]

    def _run(self, task: BenchmarkTask, chosen: Path, environment: ProvisioningResult) -> Grade:
        """Run the test script on copies, so that neither script nor output can affect other tasks."""
        place = self._folder / f"grade-{task.id}"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        output = place / "graded" / (chosen.name if chosen.is_file() else "outputs")
        _copy(chosen, output)
        command = [
            str(environment.layer / "bin" / "python") if environment.layer else "",
            "script.py",
            "--output",
            str(output),
        ]
        command += ["--result", str(place / "result.jsonl")]
        shutil.copy(task.test_script, place / "script.py")
        if task.groundtruth is not None:
            if not task.groundtruth.exists():
                return Grade(
                    False, False, "the ground truth is not in this checkout", chosen.name, f"no {task.groundtruth}"
                )
            _copy(task.groundtruth, place / "groundtruth" / task.groundtruth.name)
            command += ["--groundtruth", str(place / "groundtruth" / task.groundtruth.name)]
        command += [part for name, value in task.parameters for part in (f"--{name}", value)]
        runner = CommandRunner(
            place, self._settings.workspace, self._settings.environment, self._isolation, lambda: False
        )
        interpreter = (environment.layer / "bin" / "python").resolve().parents[1] if environment.layer else place
        stored = environment.environment.path if environment.environment else place
        readable = (stored, interpreter, *((environment.layer,) if environment.layer else ()))
        outcome = runner.run(command, CommandAccess(readable=readable), place, _SECONDS)
        line = _last_line(place / "result.jsonl")
        if outcome.exit_code != 0 and line is None:
            comment = f"Test script failed with return code: {outcome.exit_code}"
            return Grade(False, False, comment, chosen.name, outcome.stopped or outcome.output[-2000:], True)
        if line is None:
            return Grade(False, False, "the test script wrote no result", chosen.name, outcome.output[-2000:], True)
        return replace(_verdict(line), output=chosen.name)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, symlinks=False, ignore_dangling_symlinks=True)
    else:
        shutil.copy(source, target)


def _last_line(path: Path) -> Mapping[str, object] | None:
    if not path.is_file():
        return None
    lines = [line for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    try:
        found = json.loads(lines[-1]) if lines else None
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _verdict(line: Mapping[str, object]) -> Grade:
    """Parse a line of `results.jsonl`, whose Booleans may be strings and whose field may be `Results`. Source: the benchmark's result_analyzer."""
    result = next((line[name] for name in line if name.lower() in ("result", "results")), False)
    return Grade(_truth(line.get("Process")), _truth(result), str(line.get("comments", ""))[:4000])


def wanted_by(tree: Path, pins: Mapping[str, str]) -> tuple[str, ...]:
    """Return the requirements of a test script, including optional ones that the benchmark's own environment contains."""
    imported = read_imports(tree, packaged=False).imported
    asked = ((install_plan.package_of(item.module), item.need is ImportNeed.NEEDED) for item in imported)
    wanted = {name for name, needed in asked if name and (needed or canonical(name) in pins)}
    return tuple(sorted(pins.get(canonical(name), name) for name in wanted))


def _truth(value: object) -> bool:
    return value if isinstance(value, bool) else str(value).lower() == "true"


def _written(results: Path, grade: Grade) -> Grade:
    """Append the grade in the benchmark's format."""
    results.parent.mkdir(parents=True, exist_ok=True)
    line = {
        "Process": grade.process,
        "Result": grade.result,
        "TimePoint": datetime.now().isoformat(timespec="seconds"),
        "comments": grade.comments,
    }
    with results.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return grade


def _pins(path: Path) -> dict[str, str]:
    """Map each package to its requirement in the benchmark's file; machine-specific local versions are left unpinned."""
    if not path.is_file():
        return {}
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    wanted = read_requirements(path.name, text).wanted
    found = {item.name: re.sub(r"==[\w.]+\+\w+", "", item.text) for item in wanted}
    if "opencv-python" in found:
        found["opencv-python-headless"] = found["opencv-python"].replace("opencv-python", "opencv-python-headless")
    return found
