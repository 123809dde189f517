"""Checks of a repository that a search found, in a clone: entry points, imports, and model weights. Nothing of it is executed.

Weights that the README links to are requested, because a repository without its weights solves no task; bodies are not read.
Sources: RepoMaster (arXiv 2505.21577), listing 2; GitTaskBench (arXiv 2508.18993), completeness of a repository.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from repoquarry.execution.provision.python.code_imports import read_imports
from repoquarry.ingest.errors import IngestError
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import NetworkPolicy, acquire, parse_source
from repoquarry.ingest.sources.downloads import Credentials, Downloader
from repoquarry.ingest.sources.network_policy import HostPattern
from repoquarry.languages.manifests import is_manifest
from repoquarry.languages.registry import is_source, language_for
from repoquarry.processes.bounded_calls import BoundedCallError, call_bounded

PUBLIC_HOSTS: Final = NetworkPolicy((HostPattern("https", "*", 443), HostPattern("http", "*", 80)))
"""Hosts whose links are requested: a README that a stranger wrote must not lead to inner addresses."""
_MAX_FILES: Final = 2_000
_CHECK_SECONDS: Final = 120.0
_LINK_SECONDS: Final = 15.0
_MAX_SHOWN: Final = 10
_WEIGHT_FILE: Final = re.compile(r".*\.(?:pth|pt|ckpt|onnx|h5|safetensors|pb|tflite|caffemodel|pkl|weights)")
_WEIGHT_LINK: Final = re.compile(
    r"^(?=.*\b(?:weights?|checkpoints?|pre-?trained|models?)\b).*?(https?://[^\s)\"'>\]]+)",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True)
class LinkCheck:
    """Answer of the host to a request for a link."""

    url: str
    problem: str = ""
    """Reason why the link cannot be read; empty if it can."""
    media_type: str = ""
    """Media type of the answer; `text/html` is a page, from which a person may have to start the download."""
    size_bytes: int | None = None
    """Size that the host states; None if it states none."""


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
    weight_links: tuple[LinkCheck, ...] = ()
    """Answers to requests for these addresses."""
    problem: str = ""
    """Reason why the clone cannot be used; empty if it can."""


def check_repository(
    address: str,
    readme: str,
    settings: IngestSettings,
    reach: NetworkPolicy,
    links: NetworkPolicy = PUBLIC_HOSTS,
) -> CloneCheck:
    """Clone a repository without its history, check it, and request the weights that its README links to.

    A repository has a problem if all of its weights are files behind links that cannot be read. Other links are reported only: a line
    about models may link to a page.
    """
    try:
        with acquire(parse_source(address), settings, lambda: False, reach) as checkout:
            found = call_bounded(check_tree, {"root": checkout.root, "readme": readme}, seconds=_CHECK_SECONDS)
    except BoundedCallError as error:
        return CloneCheck(problem=f"its files cannot be read: {error}")
    except IngestError as error:
        return CloneCheck(problem=f"cannot be cloned: {_decisive_line(str(error))}")
    requested = check_links(list_weight_links(readme), settings, links)
    files = [link for link in requested if _WEIGHT_FILE.fullmatch(urlsplit(link.url).path)]
    is_lacking = (
        files and all(link.problem for link in files) and set(found.weights) <= {link.url for link in requested}
    )
    problem = found.problem or (f"its weights cannot be read: {files[0].problem}" if is_lacking else "")
    return replace(found, weight_links=requested, problem=problem)


def list_weight_links(readme: str) -> list[str]:
    """List the first addresses of a README in lines about weights, checkpoints or models."""
    return list(dict.fromkeys(link.rstrip(".,;:") for link in _WEIGHT_LINK.findall(readme)))[:_MAX_SHOWN]


def check_links(urls: Sequence[str], settings: IngestSettings, reach: NetworkPolicy) -> tuple[LinkCheck, ...]:
    """Request each address; the bodies are not read."""
    with ThreadPoolExecutor(max_workers=4) as pool:
        return tuple(pool.map(lambda url: _check_link(url, replace(settings, git_seconds=_LINK_SECONDS), reach), urls))


def _check_link(url: str, settings: IngestSettings, reach: NetworkPolicy) -> LinkCheck:
    try:
        media_type, size = Downloader(reach, settings, lambda: False, Credentials()).probe(url)
    except IngestError as error:
        return LinkCheck(url, _decisive_line(str(error)))
    return LinkCheck(url, "", media_type, size)


def _decisive_line(message: str) -> str:
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    return next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[0] if lines else "")[:200]


def check_tree(root: Path, readme: str) -> CloneCheck:
    """Check the files of a clone; `call_bounded` runs it."""
    files = [
        path.relative_to(root).as_posix()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.parts
    ]
    is_declared = any(map(is_manifest, files))
    packages = {
        item.module.partition(".")[0] for item in read_imports(root, packaged=is_declared).imported if item.need
    }
    weights = [path for path in files if _WEIGHT_FILE.fullmatch(path)][:_MAX_SHOWN] + list_weight_links(readme)
    starts = tuple(_iterate_entry_points(root, files))[:_MAX_SHOWN]
    problem = "" if any(map(is_source, files)) else "contains no source code"
    return CloneCheck(starts, tuple(sorted(packages)), is_declared, tuple(dict.fromkeys(weights)), problem=problem)


def _iterate_entry_points(root: Path, files: Sequence[str]) -> Iterator[str]:
    for path in [one for one in files if is_source(one)][:_MAX_FILES]:
        for kind, _, line in language_for(path).extract(path, (root / path).read_bytes()).entry_points:
            yield f"{path}:{line} {kind}"
