"""Repository search for a task: candidates of a host, judged by words of their READMEs; the best are cloned and checked.

Source: RepoMaster (arXiv 2505.21577), section 3.1; the result has the form of listing 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from repoquarry.agent.settings import AgentSettings
from repoquarry.execution.provision.python.code_imports import read_imports
from repoquarry.graphstore.search.text_analysis import terms
from repoquarry.ingest.errors import IngestError
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import EVERYWHERE, NetworkPolicy, acquire, parse_source
from repoquarry.languages.manifests import is_manifest
from repoquarry.languages.readme_prose import extract_prose
from repoquarry.languages.registry import is_source, language_for
from repoquarry.server.repository_catalogs import GitHubSource, RepositoryOffer, list_subjects

_MAX_CHECKED: Final = 3
_MIN_COVERAGE: Final = 0.5
"""Share of a task's subjects that a candidate must mention."""
_MAX_FILES: Final = 2_000
_MAX_SHOWN: Final = 10
_UNKNOWN: Final = "Information unavailable"
_WEIGHT_FILE: Final = re.compile(r".*\.(?:pth|pt|ckpt|onnx|h5|safetensors|pb|tflite|caffemodel|pkl|weights)")
_WEIGHT_LINK: Final = re.compile(
    r"^(?=.*\b(?:weights?|checkpoints?|pre-?trained|models?)\b).*?(https?://[^\s)\"'>\]]+)",
    re.IGNORECASE | re.MULTILINE,
)
_METRIC: Final = re.compile(
    r"[^.\n|]*\b(?:accuracy|AUC|F1|kappa|mAP|PSNR|SSIM|BLEU|WER|RMSE|IoU)\b[^.\n|]*?\d+(?:\.\d+)?\s*%?[^.\n|]*",
    re.IGNORECASE,
)
_USAGE: Final = re.compile(r"^\s*(?:```|\$ |python |pip install)|\b(?:usage|how to use|quick ?start)\b", re.I | re.M)


@dataclass(frozen=True)
class CloneCheck:
    """Findings in a clone of a candidate; nothing of it is executed."""

    entry_points: tuple[str, ...] = ()
    """Places that start a program, `path:line`."""
    imports: tuple[str, ...] = ()
    """External top-level packages that the code needs."""
    is_declared: bool = False
    """True if a manifest declares the requirements."""
    weights: tuple[str, ...] = ()
    """Files of model weights in the clone, and addresses of weights in the README."""
    problem: str = ""
    """Reason why the clone cannot be used; empty if it can."""


def search_repositories(
    agent: AgentSettings, ingest: IngestSettings, task: str, reach: NetworkPolicy = EVERYWHERE
) -> dict[str, Any]:
    """Search, judge and check repositories for a task. Raises: ToolError if the host refuses."""
    source = GitHubSource(agent.search)
    described = source.describe(source.find(task)[: agent.search.results])
    # Stable sort: among equal verdicts the order of the search stays.
    judged = sorted(((one, _judge(one, task)) for one in described), key=lambda item: not item[1]["can_solve_task"])
    entries = []
    for rank, (offer, verdict) in enumerate(judged, 1):
        check = _check(offer, ingest, reach) if rank <= _MAX_CHECKED and verdict["can_solve_task"] else None
        if check is not None and check.problem:
            verdict |= {"can_solve_task": False, "reason": f"{verdict['reason']}; {check.problem}"}
        entries.append({"rank": rank, **_describe(offer), **verdict, "checks": asdict(check) if check else None})
    return {"repositories": entries, "recommendation": _recommend(entries)}


def _describe(offer: RepositoryOffer) -> dict[str, Any]:
    return {
        "name": offer.name,
        "url": offer.url or offer.address,
        "address": offer.address,
        "stars": offer.stars,
        "last_push": offer.last_push,
        "license": offer.license,
        "size_kib": offer.size_kib,
        "languages": list(offer.languages),
    }


def _judge(offer: RepositoryOffer, task: str) -> dict[str, Any]:
    """Judge by the subjects of the task that README and description mention, and by instructions for use."""
    prose = extract_prose(offer.readme)
    held = set(terms(f"{offer.name} {offer.description} {offer.topics} {prose}"))
    subjects = list_subjects(task)
    covered = [word for word in subjects if held & set(terms(word))]
    missing = [word for word in subjects if word not in covered]
    has_usage = _USAGE.search(prose) is not None
    parts = [f"covers {', '.join(covered) or 'nothing'} of the task"]
    parts += [f"does not mention {', '.join(missing)}"] if missing else []
    parts.append(
        "shows how to use it" if has_usage else "without instructions for use" if prose else "README unavailable"
    )
    metric = _METRIC.search(prose)
    return {
        "can_solve_task": bool(prose) and has_usage and len(covered) >= _MIN_COVERAGE * max(len(subjects), 1),
        "solution_approach": offer.description or (prose.split("\n\n")[0][:300] if prose else _UNKNOWN),
        "performance": " ".join(metric[0].split())[:300] if metric else "Not specified" if prose else _UNKNOWN,
        "reason": "; ".join(parts),
    }


def _check(offer: RepositoryOffer, settings: IngestSettings, reach: NetworkPolicy) -> CloneCheck:
    """Clone a candidate without its history and check imports, entry points and weights."""
    try:
        with acquire(parse_source(offer.address), settings, lambda: False, reach) as checkout:
            return _check_tree(checkout.root, offer.readme)
    except IngestError as error:
        return CloneCheck(problem=f"cannot be cloned: {error}")


def _check_tree(root: Path, readme: str) -> CloneCheck:
    files = [
        path.relative_to(root).as_posix()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.parts
    ]
    is_declared = any(map(is_manifest, files))
    packages = {
        item.module.partition(".")[0] for item in read_imports(root, packaged=is_declared).imported if item.need
    }
    weights = [path for path in files if _WEIGHT_FILE.fullmatch(path)] + _WEIGHT_LINK.findall(readme)
    starts = tuple(_iterate_entry_points(root, files))[:_MAX_SHOWN]
    return CloneCheck(
        starts,
        tuple(sorted(packages)),
        is_declared,
        tuple(dict.fromkeys(weights))[:_MAX_SHOWN],
        "" if any(map(is_source, files)) else "contains no source code",
    )


def _iterate_entry_points(root: Path, files: Sequence[str]) -> Iterator[str]:
    for path in [one for one in files if is_source(one)][:_MAX_FILES]:
        for kind, _, line in language_for(path).extract(path, (root / path).read_bytes()).entry_points:
            yield f"{path}:{line} {kind}"


def _recommend(entries: Sequence[Mapping[str, Any]]) -> str:
    best = next((one for one in entries if one["can_solve_task"]), None)
    if best is None:
        return "No repository is recommended: none covers the task."
    return f"{best['name']} is recommended: {best['reason']}. Index it with `repoquarry index {best['address']}`."
