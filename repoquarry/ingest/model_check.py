"""Check of a repository's models: refused files, extended types that no model describes, names that its code never uses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from repoquarry.ingest.files.folder_reader import read_folder
from repoquarry.ingest.files.selection import select_files
from repoquarry.ingest.resolution import resolve
from repoquarry.ingest.settings import IngestSettings
from repoquarry.languages.model_files import Model, load_models, parse_own_models
from repoquarry.languages.registry import OWN_MODELS, is_configuration, is_source, language_for, load

ECOSYSTEMS = ("pypi", "npm", "maven")


@dataclass(frozen=True)
class ModelFinding:
    """Finding on a model file."""

    path: str
    line: int
    """0 if the file is refused; the reason begins with the line then."""
    reason: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.reason}" if self.line else self.reason


def check_bounded_models(root: Path, settings: IngestSettings) -> tuple[int, list[ModelFinding]]:
    """Check a folder's models in a process with limits: its files are not ours. Raises: WorkerLostError at a limit."""
    return read_folder(root, check_models, settings, root=root)


def check_models(root: Path) -> tuple[int, list[ModelFinding]]:
    """Check the models below `.repoquarry/models` of a folder; return the number of files and the findings."""
    files = [file.path for file in select_files(root, IngestSettings()).files]
    configuration = {path: (root / path).read_bytes() for path in files if is_configuration(path)}
    count = sum(path.startswith(OWN_MODELS) for path in configuration)
    models, refused = parse_own_models(configuration)
    found = [ModelFinding(reason.partition(":")[0], 0, reason) for reason in refused]
    if not models:
        return count, found
    facts = [language_for(path).extract(path, (root / path).read_bytes()) for path in files if is_source(path)]
    resolution = resolve(facts, configuration=configuration)
    annotations = {one.name for each in facts for definition in each.definitions for one in definition.decorators}
    used = set(resolution.externals) | {base for each in facts for one in each.definitions for base in one.bases}
    used |= {f"{one.module}.{one.name}" for each in facts for one in each.imports}
    ecosystems = {load(each.language).ecosystem for each in facts} & set(ECOSYSTEMS)
    known = {name for ecosystem in ecosystems for model in load_models(ecosystem) for name in _types(model)}
    known |= {name for model in models for name in _types(model)}
    for model in models:
        found += _list_findings(model, used, annotations, known)
    return count, found


def _types(model: Model) -> Iterator[str]:
    return (name for one in model.contents.type for name in one.of.split())


def _list_findings(model: Model, used: set[str], annotations: set[str], known: set[str]) -> Iterator[ModelFinding]:
    for one in model.contents.type:
        if one.extends and one.extends not in known:
            yield ModelFinding(
                model.path, model.line_of(one.extends), f"no model describes the extended type {one.extends}"
            )
    made = {
        step.partition(":")[2]
        for steps in model.programs.values()
        for step in steps.split()
        if step.startswith(("of:", "new:"))
    }
    contents = model.contents
    named = (
        [one.of for one in contents.function]
        + [one.of for one in contents.type]
        + [one.of for one in contents.annotation]
    )
    for names in map(str.split, named):
        is_used = any(
            name in made
            or name.rpartition(".")[2] in annotations
            or any(one == name or one.startswith(f"{name}.") for one in used)
            for name in names
        )
        if not is_used:
            yield ModelFinding(model.path, model.line_of(names[0]), f"the code never uses {' or '.join(names)}")
