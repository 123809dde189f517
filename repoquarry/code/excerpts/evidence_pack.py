"""Evidence pack: one text about a name or question with source, callers, tests and documentation, within a hard character limit.

Entries of all parts are taken by weight until the limit is reached, so that the least useful entry is cut first. Every cut is stated.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from repoquarry.code.calls import find_external_callers
from repoquarry.code.excerpts.evidence_parts import EvidenceEntry, EvidencePart, place_parts, subject_parts
from repoquarry.code.name_resolution import NameMatch, clean_name, resolve_name
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import DefinitionRecord, without_files
from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.values import Node, count_noun, get_int, get_str
from repoquarry.graphstore.repository_names import bare_id

DEFAULT_CHARS: Final = 6_000
MIN_CHARS: Final = 500
PROVENANCE_CHARS: Final = 200
"""Characters that a server reserves for the basis of the answer below the text."""
_MAX_CANDIDATES = 20
_MAX_EXTERNAL = 30
_MAX_SESSIONS = 256
_MAX_SEEN = 5_000
"""Maximum number of entries that are remembered for a session."""


@dataclass(frozen=True)
class EvidenceRequest:
    target: str
    repositories: tuple[str, ...]
    max_chars: int = DEFAULT_CHARS
    """Maximum number of characters of the text; at least `MIN_CHARS`."""
    seen: frozenset[str] = frozenset()
    """Keys of entries that earlier packs of the session showed; they are skipped."""


@dataclass(frozen=True)
class EvidencePack:
    text: str
    subject: tuple[DefinitionRecord, ...]
    """Definitions that the pack is about; empty for candidates, external code and places."""
    places: tuple[DefinitionRecord, ...]
    """Definitions that the text locates, in order."""
    why_by_id: Mapping[str, str] = field(default_factory=dict)
    """Reason of each place of a question, as a fragment, by the id of the definition."""
    candidates: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    """Similar names, where the target is a name that nothing has."""
    is_unknown: bool = False
    """True for a name that nothing has: the text holds no evidence."""
    shown: frozenset[str] = frozenset()


class EvidenceSessions:
    """Memory of the entries that sessions were shown, by client and session id. The least recently used session is forgotten first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: OrderedDict[tuple[str, str], frozenset[str]] = OrderedDict()

    def build_pack(self, reader: CodeReader, request: EvidenceRequest, client: str, session: str) -> EvidencePack:
        """Build a pack without what the session has seen; an empty session id has seen nothing and is not remembered."""
        key = (client, session)
        with self._lock:
            seen = self._seen.get(key, frozenset()) if session else frozenset()
        pack = build_evidence_pack(reader, replace(request, seen=seen))
        if session:
            with self._lock:
                self._seen[key] = frozenset([*self._seen.pop(key, frozenset()), *pack.shown][-_MAX_SEEN:])
                while len(self._seen) > _MAX_SESSIONS:
                    self._seen.popitem(last=False)
        return pack


@dataclass
class _Draft:
    """A pack before it is cut."""

    head: str
    parts: list[EvidencePart]
    subject: Sequence[DefinitionRecord] = ()
    candidates: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    is_unknown: bool = False


def build_evidence_pack(reader: CodeReader, request: EvidenceRequest) -> EvidencePack:
    """Build the pack of a name, or of a question where the target is not a name."""
    target = request.target.strip()
    is_name = len(clean_name(target).split()) == 1
    if is_name:
        return _cut(_draft_name(reader, target, request.repositories), request)
    repositories = _mentioned_repositories(target, request.repositories)
    return _cut(_draft_question(reader, target, repositories), request)


def _draft_name(reader: CodeReader, name: str, repositories: Sequence[str]) -> _Draft:
    """Draft the pack of a name, or of a word of prose that code contains."""
    try:
        resolution = resolve_name(reader, name, repositories)
    except NotFoundError as error:
        # Lazy import: constants load the stemmer.
        from repoquarry.code.constants import find_settings

        if settings := find_settings(reader, clean_name(name), repositories):
            part = EvidencePart("Settings")
            part.extend(((f"- {item.path}:{item.line} {item.name} = {item.value}", None) for item in settings), 70, 20)
            return _Draft(f"{name!r} is a key in configuration files.", [part])
        if not repositories:
            return _draft_question(reader, name, repositories)
        near = f" Nearest names: {', '.join(f'`{one}`' for one in error.nearest)}." if error.nearest else ""
        head = f"Not in the index: nothing is called `{name}`.{near}"
        if not error.nearest and name.isalpha() and name.islower():  # A word of prose.
            draft = _draft_question(reader, name, repositories)
            if any(f"`{name}`" in entry.why for part in draft.parts for entry in part.entries):
                draft.head = f"{head} Places that contain the word:"
                return draft
        return _Draft(head, [], nearest=error.nearest, is_unknown=True)
    if resolution.match is NameMatch.EXTERNAL:
        return _draft_external(reader, name, repositories)
    if resolution.match is NameMatch.VARIABLE:
        return _draft_question(reader, name, repositories)
    groups, production = resolution.subjects(), resolution.preferred()
    if len(production) > 1:
        return _draft_candidates(name, production)
    subject = without_files(reader.definitions(node.id for node in production[0]))
    if not subject:  # A folder or a document.
        return _draft_question(reader, name, [get_str(production[0][0].properties.get("repository"))])
    first = subject[0]
    head = f"{first.kind} {first.title}{first.signature if len(first.signature) < 200 else ''}  ({first.repository})"
    if resolution.match is NameMatch.CASE:
        head += f"\nNothing is spelled {name!r}; this differs in case only."
    if resolution.match is NameMatch.INHERITED:
        head += f"\n{name!r} is inherited; this is the definition in the base class."
    if len(groups) > 1:
        head += f"\nAlso defined in tests: {', '.join(_located(group[0]) for group in groups if group != production[0])[:200]}"
    return _Draft(head, subject_parts(reader, subject), subject)


def _draft_candidates(name: str, groups: Sequence[tuple[Node, ...]]) -> _Draft:
    part = EvidencePart("Candidates")
    for number, group in enumerate(groups[:_MAX_CANDIDATES], 1):
        node = group[0]
        about = get_str(node.properties.get("docstring")) or get_str(node.properties.get("summary"))
        headline = f"\n    {' '.join(about.split())[:120]}" if about else ""
        signature = " ".join(get_str(node.properties.get("signature")).split())[:100]
        part.add(f"{number}. {node.id}{signature}  {_located(node)}{headline}", 100 - number)
    more = f" (the first {_MAX_CANDIDATES} are listed)" if len(groups) > _MAX_CANDIDATES else ""
    head = f"{name!r} is ambiguous: {len(groups)} definitions{more}; ask again with the id of one."
    return _Draft(head, [part], candidates=tuple(group[0].id for group in groups))


def _located(node: Node) -> str:
    return f"{get_str(node.properties.get('path'))}:{get_int(node.properties.get('start_line'))}"


def _draft_external(reader: CodeReader, name: str, repositories: Sequence[str]) -> _Draft:
    part = EvidencePart("Callers")
    try:
        report = find_external_callers(reader, name, repositories)
    except NotFoundError:
        return _Draft(f"{name!r} is external code that is imported and not called.", [part])
    for number, call in enumerate(report.external[:_MAX_EXTERNAL]):
        line = call.lines[0] if call.lines else call.caller.start_line
        part.add(f"- {call.caller.path}:{line} {call.caller.title} calls {call.qualname}", 70 - number, call.caller)
    return _Draft(
        f"{name!r} is external code: its source is not indexed. {count_noun(len(report.external), 'caller')}.", [part]
    )


def _draft_question(reader: CodeReader, question: str, repositories: Sequence[str]) -> _Draft:
    here = [id_ for id_ in repositories if id_ in reader.store.text_repositories()]
    if not here:
        return _Draft(f"{'No text of these repositories' if repositories else 'No repository'} is indexed here.", [])
    places, ranked = place_parts(reader, question, here)
    if not ranked:
        return _Draft("No place matches; name a function, class or file.", [places])
    parts = subject_parts(reader, ranked[:1])
    for part in parts:
        part.title += "" if part.title.startswith("Source") else f" of {ranked[0].title}"
    return _Draft("Places that match the words and names of the question, best first:", [places, *parts])


def _mentioned_repositories(question: str, repositories: Sequence[str]) -> Sequence[str]:
    """Return the repositories that a question names, else all of the scope."""
    words = {word.strip(".,?!'\"`()").lower() for word in question.split()}
    named = [id_ for id_ in repositories if id_.lower() in words or bare_id(id_).lower() in words]
    return named or repositories


def _cut(draft: _Draft, request: EvidenceRequest) -> EvidencePack:
    """Take entries by weight until the limit is reached. An entry is only taken after all heavier entries of its part."""
    repository = draft.subject[0].repository if draft.subject else ""
    blocks = [_Block(part, repository, request.seen) for part in draft.parts]
    repeated = sum(block.repeated_count for block in blocks)
    order = sorted((-entry.weight, number) for number, block in enumerate(blocks) for entry in block.entries)
    closed = set[int]()
    for _, number in order:
        if number in closed:
            continue
        blocks[number].count += 1
        if len(_format(draft.head, blocks, repeated)) > request.max_chars:
            blocks[number].count -= 1
            closed.add(number)
    chosen = [entry for block in blocks for entry in block.chosen()]
    places = {entry.definition.id: entry.definition for entry in chosen if entry.definition}
    return EvidencePack(
        _format(draft.head, blocks, repeated)[: request.max_chars],
        tuple(draft.subject),
        tuple(places.values()),
        {entry.definition.id: entry.why for entry in chosen if entry.definition and entry.why},
        draft.candidates,
        draft.nearest,
        draft.is_unknown,
        frozenset(block.key_of(entry) for block in blocks for entry in block.chosen()),
    )


class _Block:
    """A part while it is cut: the entries that the session has not seen, and how many of them are taken."""

    def __init__(self, part: EvidencePart, repository: str, seen: frozenset[str]) -> None:
        self.title = part.title
        self._prefix = f"{repository}\0{part.title}\0"
        fresh = [entry for entry in part.entries if self.key_of(entry) not in seen]
        self.repeated_count = len(part.entries) - len(fresh)
        self.entries = sorted(fresh, key=lambda entry: -entry.weight)
        self.count = 0

    def chosen(self) -> list[EvidenceEntry]:
        """Return the taken entries in the order in which they are shown."""
        return sorted(self.entries[: self.count], key=lambda entry: entry.line)

    def format(self) -> str:
        """Format the taken entries below a title that states the cut; gaps between lines of source are marked."""
        unit = " lines" if self.title.startswith("Source") else ""
        cut = f" ({self.count} of {len(self.entries)}{unit} shown)" if self.count < len(self.entries) else ""
        lines, last = [f"{self.title}{cut}:"], 0
        for entry in self.chosen():
            if last and entry.line > last + 1:
                lines.append("        …")
            lines.append(entry.text)
            last = entry.line
        return "\n".join(lines)

    def key_of(self, entry: EvidenceEntry) -> str:
        text = (self._prefix + entry.text).encode("utf-8", "surrogatepass")
        return hashlib.blake2b(text, digest_size=8).hexdigest()


def _format(head: str, blocks: Sequence[_Block], repeated: int) -> str:
    absent = [f"{block.title.lower()} ({len(block.entries)})" for block in blocks if block.entries and not block.count]
    notes = [f"Omitted for length: {', '.join(absent)}."] if absent else []
    notes += [f"Not repeated: {repeated} entries shown earlier in this session."] if repeated else []
    return "\n\n".join((head, *(block.format() for block in blocks if block.count), *notes))
