"""Tasks of GitTaskBench as published."""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from repoquarry.agent.errors import EvaluationError

DOMAINS: Final = {
    "Image Processing": (
        *("AnimeGANv3", "DeOldify", "DeScratch", "StyleTransfer", "SuperResolution", "TransparentBackground"),
    ),
    "Video Processing": ("VideoPose3D",),
    "Speech Processing": ("FunASR", "SpeechBrain"),
    "Physiological Signals Processing": ("NeuroKit",),
    "Security and Privacy": ("Faker", "InvisibleWatermark", "Stegano"),
    "Web Scraping": ("Scrapy", "Trafilatura"),
    "Office Document Processing": ("Eparse", "PDFPlumber", "PyPDF2"),
}
"""Domain -> repositories, by the benchmark's table; a task with a video as input counts as video processing whatever its repository."""

_VIDEO: Final = "Video Processing"
_UNKNOWN: Final = "other"


@dataclass(frozen=True)
class InputFile:
    """A file that a task works on."""

    source: Path
    path: str
    """Place below the task's folder `inputs`."""
    description: str


@dataclass(frozen=True)
class BenchmarkTask:
    """One task."""

    id: str
    repository: str
    domain: str
    description: str
    inputs: tuple[InputFile, ...]
    missing: tuple[str, ...]
    """Input paths that are named and not there."""
    test_script: Path
    groundtruth: Path | None
    several_outputs: bool
    parameters: tuple[tuple[str, str], ...]
    """Further options of the test script."""

    @property
    def text(self) -> str:
        """What the agent is asked: the published description, where the inputs lie, and where the result belongs."""
        lines = [self.description.strip(), "", f"Use the repository {self.repository}."]
        if self.inputs:
            lines.append("Input files:")
            lines += [f"- inputs/{item.path}: {item.description}" for item in self.inputs]
        if self.several_outputs:
            lines.append(
                "Write the results into the folder outputs/ as output_1, output_2, ... with the suffix that fits."
            )
        else:
            lines.append(
                "Write the result to one file outputs/output with the suffix that fits, such as outputs/output.txt."
            )
        return "\n".join(lines)


def read_tasks(root: Path, only: Sequence[str] = ()) -> list[BenchmarkTask]:
    """All tasks below a checkout of the benchmark, or those named. Raises: EvaluationError."""
    configurations = sorted(root.glob("config/*/task_info.yaml"))
    if not configurations:
        raise EvaluationError(f"{root} holds no config/*/task_info.yaml; give a checkout of GitTaskBench")
    known = {path.parent.name: path for path in configurations}
    unknown = sorted(set(only) - set(known))
    if unknown:
        raise EvaluationError(f"no such task: {', '.join(unknown)}; there are {', '.join(known)}")
    return [_read(root, path) for name, path in known.items() if not only or name in only]


def _read(root: Path, path: Path) -> BenchmarkTask:
    configuration = _yaml(path)
    id_ = str(_field(configuration, "taskid", path))
    query_path = root / "queries" / id_ / "query.json"
    query = _json(query_path)
    repositories = query.get("repositories") or [{"name": id_.rpartition("_")[0]}]
    inputs, missing = _inputs(root, query)
    groundtruth = configuration.get("groundtruth")
    repository = str(repositories[0].get("name", ""))
    return BenchmarkTask(
        id_,
        repository,
        _domain(repository, inputs),
        str(_field(query, "task_description", query_path)),
        inputs,
        missing,
        root / str(_field(configuration, "test_script", path)),
        root / str(groundtruth) if groundtruth else None,
        bool(_field(configuration, "multi_output", path)),
        tuple((str(name), str(value)) for name, value in (configuration.get("parameters") or {}).items()),
    )


def _inputs(root: Path, query: Mapping[str, Any]) -> tuple[tuple[InputFile, ...], tuple[str, ...]]:
    """Files and folders that the query names, found in the checkout wherever the authors had it."""
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


def _domain(repository: str, inputs: Sequence[InputFile]) -> str:
    kinds = {(mimetypes.guess_type(item.path)[0] or "").partition("/")[0] for item in inputs}
    if "video" in kinds:
        return _VIDEO
    return next((domain for domain, names in DOMAINS.items() if repository in names), _UNKNOWN)


def _field(document: Mapping[str, Any], name: str, path: Path) -> Any:
    if name not in document:
        raise EvaluationError(f"{path} has no field {name!r}")
    return document[name]


def _yaml(path: Path) -> Mapping[str, Any]:
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise EvaluationError(f"{path} cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise EvaluationError(f"{path} is no mapping")
    return found


def _json(path: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise EvaluationError(f"{path} cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise EvaluationError(f"{path} is no object")
    return found
