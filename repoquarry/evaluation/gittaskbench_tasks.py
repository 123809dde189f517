"""Reader of GitTaskBench tasks from a checkout of the benchmark: prompt, input files, test script and ground truth of each."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from repoquarry.agent.errors import EvaluationError

_RULES = """\
Rules:
- Read the repository's README first; if it is missing or too short, read the code.
- Use the repository's own tools and functions; do not write again what it has.
- Use absolute paths in code and commands; the workspace is the folder that commands start in.
- Add the root of the repository to PYTHONPATH.
- Install with pip, and only what is missing.
- Look for model weights in the repository; download them only where they are missing."""
"""Rules of listing 2 of the paper, for this agent's workspace."""


@dataclass(frozen=True)
class InputFile:
    """Input file of a task."""

    source: Path
    path: str
    """Path below the task's folder `inputs`."""
    description: str


@dataclass(frozen=True)
class BenchmarkTask:
    """Benchmark task."""

    id: str
    repository: str
    description: str
    inputs: tuple[InputFile, ...]
    missing: tuple[str, ...]
    """Listed input paths that do not exist."""
    test_script: Path
    groundtruth: Path | None
    several_outputs: bool
    parameters: tuple[tuple[str, str], ...]
    """Additional options of the test script."""
    modules: tuple[str, ...] = ()
    """Names that code of the repository is known by: its own, and those of its top-level modules and packages."""
    internal: tuple[str, ...] = ()
    """Names of all modules and packages of the repository, at any depth."""
    guidelines: tuple[str, ...] = ()
    """Guide of the task file on how to understand the repository."""

    @property
    def text(self) -> str:
        """Return the prompt: the published description, the paths of the inputs, and the path of the result."""
        lines = [self.description.strip(), "", f"Use the repository {self.repository}."]
        lines += [f"- {guideline}" for guideline in self.guidelines]
        if self.inputs:
            lines.append("Input files:")
            lines += [f"- inputs/{item.path}: {item.description}" for item in self.inputs]
        if self.several_outputs:
            lines.append(
                "Write the results into the folder outputs/ as output_01, output_02, ... with the suffix that fits."
            )
        else:
            lines.append(
                "Write the result to one file outputs/output with the suffix that fits, such as outputs/output.txt."
            )
        return "\n".join([*lines, _RULES])


def read_tasks(root: Path, only: Sequence[str] = ()) -> list[BenchmarkTask]:
    """Return all tasks of a checkout, or the named ones. Raises: EvaluationError."""
    configurations = sorted(root.glob("config/*/task_info.yaml"))
    if not configurations:
        raise EvaluationError(f"{root} contains no config/*/task_info.yaml; name a checkout of GitTaskBench")
    known = {path.parent.name: path for path in configurations}
    unknown = sorted(set(only) - set(known))
    if unknown:
        raise EvaluationError(f"unknown task: {', '.join(unknown)}; known: {', '.join(known)}")
    return [_read(root, path) for name, path in known.items() if not only or name in only]


def _read(root: Path, path: Path) -> BenchmarkTask:
    configuration = _document(path, yaml.safe_load)
    id_ = str(_field(configuration, "taskid", path))
    query_path = root / "queries" / id_ / "query.json"
    query = _document(query_path, json.loads)
    repositories = query.get("repositories") or [{"name": id_.rpartition("_")[0]}]
    inputs, missing = _inputs(root, query)
    groundtruth = configuration.get("groundtruth")
    repository = str(repositories[0].get("name", ""))
    return BenchmarkTask(
        id_,
        repository,
        str(_field(query, "task_description", query_path)),
        inputs,
        missing,
        root / str(_field(configuration, "test_script", path)),
        root / str(groundtruth) if groundtruth else None,
        bool(_field(configuration, "multi_output", path)),
        tuple((str(name), str(value)) for name, value in (configuration.get("parameters") or {}).items()),
        _modules(root / "code_base" / repository),
        _internal(root / "code_base" / repository),
        _guidelines(query, repositories[0]),
    )


def _guidelines(query: Mapping[str, Any], repository: Mapping[str, Any]) -> tuple[str, ...]:
    """Read the guide of the query or of its repository; it is a list or one text."""
    guide = query.get("understanding_guidelines") or repository.get("understanding_guidelines") or ()
    return (guide,) if isinstance(guide, str) else tuple(map(str, guide))


def _modules(tree: Path) -> tuple[str, ...]:
    packages = (path.parent.name for pattern in ("*/__init__.py", "src/*/__init__.py") for path in tree.glob(pattern))
    return tuple(
        sorted({tree.name, *packages, *(path.stem for path in tree.glob("*.py"))} - {"setup", "tests", "test", "docs"})
    )


def _internal(tree: Path) -> tuple[str, ...]:
    files = [path.relative_to(tree) for path in tree.rglob("*.py")]
    return tuple(sorted({part for file in files for part in (*file.parts[:-1], file.stem)} - {"__init__"}))


def _inputs(root: Path, query: Mapping[str, Any]) -> tuple[tuple[InputFile, ...], tuple[str, ...]]:
    """Find the files and folders that the query names anywhere in the checkout; return them and the missing paths."""
    found: list[InputFile] = []
    missing: list[str] = []
    for item in (query.get("file_paths") or {}).get("input_files") or ():
        named, description = str(item.get("path", "")).strip(), str(item.get("description", ""))
        if not named:
            continue
        source = root / named[named.find("queries/") :] if "queries/" in named else root / named.lstrip("/")
        if source.is_file():
            found.append(InputFile(source, source.name, description))
        elif source.is_dir():
            files = sorted(path for path in source.rglob("*") if path.is_file())
            found += [
                InputFile(path, f"{source.name}/{path.relative_to(source).as_posix()}", description) for path in files
            ]
        else:
            missing.append(named)
    return tuple(found), tuple(missing)


def _field(document: Mapping[str, Any], name: str, path: Path) -> Any:
    if name not in document:
        raise EvaluationError(f"{path} has no field {name!r}")
    return document[name]


def _document(path: Path, parse: Callable[[str], Any]) -> Mapping[str, Any]:
    try:
        found = parse(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise EvaluationError(f"{path} cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise EvaluationError(f"{path} is not a mapping")
    return found
