"""Data model of answers without a chat model: sentences and places with their decisive lines, formatted as Markdown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from repoquarry.code.name_resolution import DEFAULT_EXPORTS
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import DefinitionRecord, UnresolvedSite, without_files
from repoquarry.graphstore.errors import NotFoundError, TextsElsewhereError
from repoquarry.graphstore.model.call_views import CANDIDATE
from repoquarry.graphstore.model.values import count_noun
from repoquarry.graphstore.search.index.name_lookup import SAMPLE_FOLDERS
from repoquarry.operations.result import Place

_SHOWN = 5
_GROUPED_FILES = 8
_MAX_LINE_CHARACTERS = 72
"""Maximum number of characters of a source line, which is indented by 7 columns of 80."""
_MAX_JOINED_LINES = 6
_MAX_SENTENCE_CHARACTERS = 160
_ROLE = re.compile(r":[\w:+-]+:`~?([^`<]*?)(?:\s*<[^>]*>)?`")
_RULE = re.compile(r"[*=~#-]{3,}")
_SENTENCE_END = re.compile(r"(?<!\be\.g)(?<!\beg)(?<!\bi\.e)(?<!\bie)(?<!\bvs)(?<!\bcf)\. ")
_SURE, _LIKELY = 0.9, 0.5


@dataclass(frozen=True)
class QuestionScope:
    """Repositories of a question, and the reader of their store."""

    reader: CodeReader
    repositories: tuple[str, ...]
    check_cancelled: Callable[[], None]
    """Raises TaskCancelledError once the task is cancelled."""


@dataclass(frozen=True)
class Subject:
    """Code that a question is about."""

    phrase: str
    """Name or words as written; empty for the repositories as a whole."""
    definitions: tuple[DefinitionRecord, ...] = ()
    """Definitions that the name refers to; empty for words and for a repository."""

    @property
    def exact(self) -> list[DefinitionRecord]:
        """Definitions without the file that has their name as well."""
        return without_files(self.definitions)

    @property
    def title(self) -> str:
        """Name in code type; the phrase for an unnamed export of a file."""
        is_named = self.definitions and self.definitions[0].name not in DEFAULT_EXPORTS
        return f"`{self.definitions[0].title if is_named else self.phrase}`"


@dataclass(frozen=True)
class Finding:
    """A place of a reply: its decisive line and one reason in plain words."""

    place: Place
    line: int = 0
    """1-based number of the decisive line; 0 if there is none."""
    source: str = ""
    """Text of the decisive line."""
    is_test: bool = False


@dataclass(frozen=True)
class Reply:
    """Answer to one clause of a question."""

    lead: str
    """One or two sentences."""
    findings: tuple[Finding, ...] = ()
    """All places, best first."""
    notes: tuple[str, ...] = ()
    """Sentences after the places."""
    unresolved: tuple[UnresolvedSite, ...] = ()
    """Unresolved calls that may affect the reply."""
    max_shown: int = _SHOWN
    body: str = ""
    """Text that already shows the places; empty to list them."""
    subject: tuple[DefinitionRecord, ...] = ()
    """Definitions that the reply is about; empty for words and repositories."""
    is_exact: bool = True
    """False if nothing has the whole name, and the findings are near."""

    def format(self) -> str:
        """Format the reply as Markdown."""
        parts = [self.lead]
        if self.body:
            return "\n\n".join([*parts, self.body, *self.notes])
        if self.findings:
            shown = self.findings[: self.max_shown]
            names_repository = len({one.place.repository for one in self.findings}) > 1
            parts.append("\n".join(_item(n, one, names_repository) for n, one in enumerate(shown, 1)))
        if rest := self.findings[self.max_shown :]:
            parts.append(_format_rest(rest))
        return "\n\n".join([*parts, *self.notes])


def _item(number: int, finding: Finding, names_repository: bool) -> str:
    place = finding.place
    line = finding.line or place.start_line
    where = f"{place.path}:{line}" if line else place.path
    title = f"`{place.qualname}` " if place.qualname else ""
    where = f"`{where}` in {place.repository}" if names_repository else f"`{where}`"
    reason = f": {place.why}" if place.why else ""
    source = f"\n       {finding.source}" if finding.source else ""
    return f"{number}. {title}{where}{reason}{source}"


def _format_rest(rest: Sequence[Finding]) -> str:
    """Group the places that are not shown by file."""
    files = Counter(finding.place.path for finding in rest)
    shown = [f"{path} ({count})" if count > 1 else path for path, count in files.most_common(_GROUPED_FILES)]
    more = f" and {count_noun(len(files) - _GROUPED_FILES, 'more file')}" if len(files) > _GROUPED_FILES else ""
    return f"{len(rest)} more in {', '.join(shown)}{more}."


def find_line(scope: QuestionScope, item: DefinitionRecord, line: int) -> str:
    """Return the text of a line of a definition's file, cut to one terminal line; empty where the text is missing."""
    try:
        lines = scope.reader.text(item.repository, item.path).split("\n")
    except (NotFoundError, TextsElsewhereError):
        return ""
    text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    for following in lines[line : line + _MAX_JOINED_LINES]:
        if text.count("(") <= text.count(")") or len(text) > _MAX_LINE_CHARACTERS:
            break
        text += f"{'' if text.endswith('(') else ' '}{following.strip()}"
    return text if len(text) <= _MAX_LINE_CHARACTERS else f"{text[: _MAX_LINE_CHARACTERS - 1]}…"


def find_place(
    scope: QuestionScope, item: DefinitionRecord, reason: str = "", lines: Sequence[int] = (), score: float = 0.0
) -> Finding:
    """Build the finding of a definition; its decisive line is the first of `lines`, otherwise its own first line."""
    line = lines[0] if lines else item.start_line if item.qualname else 0
    source = find_line(scope, item, line) if line else ""
    return Finding(Place.of(item, reason, score, (reason,) if reason else ()), line, source, item.is_test)


def join_names(names: Iterable[str], limit: int = 6) -> str:
    """Join names in code type with commas and `and`."""
    given = list(dict.fromkeys(names))
    shown = [f"`{name}`" for name in given[:limit]]
    return join_words([*shown, f"{len(given) - limit} more"] if len(given) > limit else shown)


def join_words(words: Sequence[str]) -> str:
    """Join words with commas and `and`."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def sample_folder(path: str) -> str:
    """Return "an example", "documentation" or "a benchmark" for a file in such a folder; empty for the product."""
    folders = SAMPLE_FOLDERS.intersection(path.lower().split("/")[:-1])
    if not folders:
        return ""
    kinds = {
        "doc": "documentation",
        "ben": "a benchmark",
        "asv": "a benchmark",
        "jmh": "a benchmark",
        "fix": "a test",
        "tes": "a test",
    }
    return kinds.get(min(folders)[:3], "an example")


def certainty(confidence: float, how: str = "") -> str:
    """Describe an uncertain target; empty for a certain one."""
    if confidence >= _SURE and how != CANDIDATE:
        return ""
    return "likely" if confidence >= _LIKELY else "one of several possible targets"


def one_sentence(text: str) -> str:
    """Return the first sentence of a text, without markup, with a capital and a period; empty for none, such as code."""
    clean = _RULE.sub(" ", _ROLE.sub(r"`\1`", text))
    clean = " ".join(clean.split())
    end = _SENTENCE_END.search(clean)
    clean = (clean[: end.start()] if end else clean).rstrip(".")
    if len(clean) > _MAX_SENTENCE_CHARACTERS:
        clean = f"{clean[:_MAX_SENTENCE_CHARACTERS].rpartition(' ')[0]}…"
    return (
        ""
        if " " not in clean or " = " in clean or clean.endswith(":")
        else f"{clean[:1].upper()}{clean[1:]}{'' if clean.endswith(('?', '!')) else '.'}"
    )
