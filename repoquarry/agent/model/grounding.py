"""Grounding of answers: checks cited paths, lines and names against the graph and the results of tools; marks or drops those that fail."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from repoquarry.agent.model.tool_offer import NamedPlace
from repoquarry.agent.tools.base import ToolContext
from repoquarry.code.name_resolution import find_name
from repoquarry.execution.errors import ToolError
from repoquarry.graphstore.errors import GraphStoreError
from repoquarry.languages.registry import is_source
from repoquarry.operations.result import Place

_CITATION: Final = re.compile(
    r"(?<![\w/.:@-])((?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,9})(?::(\d{1,8})(?:-(\d{1,8}))?)?"
)
_NAME: Final = re.compile(r"`([A-Za-z_]\w*(?:\.\w+)*)(\(\))?`")
_DOCUMENT: Final = re.compile(r"\.(?:cfg|csv|html|ini|ipynb|json|lock|md|rst|sh|sql|toml|txt|xml|yaml|yml)")
_SHOWN_PLACES: Final = 10


@dataclass(frozen=True)
class GroundedAnswer:
    """Checked answer. `problems` are what does not exist; `is_grounded`: something in the text or its places was found."""

    text: str
    places: tuple[Place, ...]
    problems: tuple[str, ...]
    is_grounded: bool


class AnswerChecker:
    """Checker of the answer to one task. `evidence` are the places that tools named, `observed` is the text that they gave."""

    def __init__(self, context: ToolContext, evidence: Sequence[Place], observed: str) -> None:
        self._context = context
        self._reader = context.reader
        self._evidence = evidence
        self._observed = observed
        self._problems: dict[str, None] = {}
        self._found = False

    def check(self, text: str, named: Sequence[NamedPlace]) -> GroundedAnswer:
        """Check a text and the places that the model named; without any, the places are those that tools showed."""
        corrected = _CITATION.sub(self._check_citation, text)
        for match in _NAME.finditer(text):
            self._check_name(match[1], is_call=bool(match[2]))
        places = [place for rank, one in enumerate(named, 1) if (place := self._resolve(one, 1.0 / rank)) is not None]
        found = tuple(places) or self._shown_places(text)
        return GroundedAnswer(corrected, found, tuple(self._problems), self._found or bool(places))

    def _check_citation(self, match: re.Match[str]) -> str:
        """Check `path:first-last`; lines that do not exist are dropped, unknown paths are marked."""
        path, first, last = match[1], int(match[2] or 0), int(match[3] or match[2] or 0)
        if not _is_path(path, has_line=bool(match[2])) or self._is_in_workspace(path):
            return match[0]
        file = self._find_file(path)
        if file is None:
            if path in self._observed:
                return match[0]
            self._problems[f"{path} is not a file of {self._scope()}"] = None
            return f"{path} [not found]"
        self._found = True
        total = self._count_lines(*file)
        if first and (first > total or last < first):
            self._problems[f"{path} has {total} lines, not {match[0].removeprefix(path + ':')}"] = None
            return path
        return f"{path}:{first}-{total}" if last > total else match[0]

    def _check_name(self, name: str, *, is_call: bool) -> None:
        looks_like_code = is_call or "." in name or "_" in name.strip("_") or bool(re.search(r"[a-z][A-Z]", name))
        if not looks_like_code or (_CITATION.fullmatch(name) and _is_path(name, has_line=False)):
            return
        if name.rpartition(".")[2] in self._observed or find_name(self._reader, name, self._context.repositories):
            self._found = True
        else:
            self._problems[f"`{name}` is not defined in {self._scope()}, and no tool showed it"] = None

    def _resolve(self, named: NamedPlace, score: float) -> Place | None:
        """The place in the index; None, and a problem, for one that does not exist."""
        written, _, lines = named.path.partition(":")
        file = self._find_file(written, named.repository)
        if file is None:
            self._problems[f"{written} is not a file of {self._scope()}"] = None
            return None
        repository, path = file
        shown = any((place.repository, place.path) == file for place in self._evidence) or path in self._observed
        reason = "named by the model" + (", which a tool showed it" if shown else "")
        for item in self._reader.inside(repository, path) if named.qualname else ():
            if item.qualname == named.qualname:
                return Place.of(item, named.why, score, (reason,))
        first, _, last = (int(part) if re.fullmatch(r"\d{1,8}", part) else 0 for part in lines.partition("-"))
        start, total = named.start_line or first, self._count_lines(repository, path)
        start, end = (start, min(max(named.end_line, last, start), total)) if 0 < start <= total else (0, 0)
        return Place(repository, path, "", start, end, score, named.why, (reason,))

    def _shown_places(self, text: str) -> tuple[Place, ...]:
        """Places that tools showed: those that the text names, or the first of all."""
        named = [place for place in self._evidence if place.path in text and place.qualname.rpartition(".")[2] in text]
        self._found |= bool(named)
        reason = "named in the answer" if named else "shown by a tool"
        return tuple(
            replace(place, score=1.0 / rank, why=place.why or reason, reasons=(*place.reasons, reason))
            for rank, place in enumerate(named or self._evidence[:_SHOWN_PLACES], 1)
        )

    def _find_file(self, path: str, repository: str = "") -> tuple[str, str] | None:
        wanted = (repository,) if repository in self._context.repositories else self._context.repositories
        cleaned = path.strip().strip("/").removeprefix("./")
        files = self._reader.files_ending(cleaned, wanted) if cleaned else []
        return files[0] if files else None

    def _count_lines(self, repository: str, path: str) -> int:
        try:
            return self._reader.text(repository, path).removesuffix("\n").count("\n") + 1
        except GraphStoreError:
            return 0

    def _is_in_workspace(self, path: str) -> bool:
        workspace = self._context.workspace
        if workspace is None:
            return False
        try:
            return path.startswith(("inputs/", "outputs/", "logs/")) or workspace.locate(path).exists()
        except (ToolError, OSError, ValueError):
            return False

    def _scope(self) -> str:
        repositories = self._context.repositories
        return repositories[0] if len(repositories) == 1 else f"the {len(repositories)} repositories of this task"


def _is_path(text: str, *, has_line: bool) -> bool:
    suffix = PurePosixPath(text).suffix
    return is_source(text) or _DOCUMENT.fullmatch(suffix) is not None or (has_line and "/" in text)
