"""Summaries of modules: one line on the purpose of a file, from its documentation, the README or its names, or one sentence by a chat model.

Sentences of a model are stored by the digest of the file's content.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from repoquarry.execution.errors import ExecutionError
from repoquarry.ingest.files.documents import MAX_SUMMARY, first_paragraph, first_sentence, first_sentences
from repoquarry.ingest.previous_state import load_artifact
from repoquarry.ingest.run_monitor import IndexProgress, RunMonitor
from repoquarry.languages.facts import Definition, FileFacts

if TYPE_CHECKING:
    from repoquarry.graphstore.storage.source_store import SourceStore
    from repoquarry.languages.facts import Definition, FileFacts


_FILE_NAME: Final = re.compile(r"[\w./-]*\w\.\w{1,5}\b")
_MARKUP: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)|[`*|]+")
_COMMAND: Final = re.compile(
    r"^\s*(?:\$|>|python3?|node|npm|bash|sh|go|cargo|pip)\b|^(?: {4}|\t)| -{1,2}\w|\bpython3? \S"
)
_MIN_WORDS = 4
_NO_SENTENCE: Final = re.compile(r":\s*$|\s=\s|^[-=*#<>|@]")
"""Text that is a heading, a list's introduction or code."""
_MIN_SENTENCE_WORDS = 2
_MAX_NAMES = 5


def find_file_mentions(prose: str) -> dict[str, str]:
    """Map the file names in a README to the first line of prose that mentions each; commands and code are skipped."""
    mentions: dict[str, str] = {}
    is_code = False
    for line in prose.split("\n"):
        if line.lstrip().startswith(("```", "~~~")):
            is_code = not is_code
        elif not is_code and not _COMMAND.search(line):
            clean = _MARKUP.sub(lambda match: match[1] or " ", line).strip(" -+#:\t")
            names = _FILE_NAME.findall(line)
            if names and len(clean.split()) >= _MIN_WORDS + len(names):
                for name in names:
                    mentions.setdefault(name.lstrip("./"), first_sentences(clean, MAX_SUMMARY))
    return mentions


def summarize_module(facts: FileFacts, mentions: Mapping[str, str]) -> str | None:
    """Return the purpose of a module in one line, by the best of its sources; None if it defines nothing.

    Sources: its docstring, its mention in the README by path or name, the docstring of its largest definition, its names. Headings and code are
    no sentences.
    """
    if (sentence := first_sentence(facts.docstring)) and _is_sentence(sentence):
        return sentence
    mention = mentions.get(facts.path) or mentions.get(facts.path.rsplit("/", 1)[-1])
    if mention and _is_sentence(mention):
        return mention
    outer = [one for one in facts.definitions if not one.parent and one.kind != "lambda"]
    if not outer:
        return None
    outer.sort(key=lambda one: (one.kind != "class", one.start_line - one.end_line))
    sentence = first_sentence(outer[0].docstring)
    if sentence and _is_sentence(sentence):
        return first_sentences(f"{outer[0].name}: {sentence}", MAX_SUMMARY)
    names = list(dict.fromkeys([one.name for one in outer if one.kind == "class"] or [one.name for one in outer]))
    more = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
    return first_sentences(f"Defines {', '.join(names[:_MAX_NAMES])}{more}.", MAX_SUMMARY)


def _is_sentence(text: str) -> bool:
    return len(text.split()) >= _MIN_SENTENCE_WORDS and not _NO_SENTENCE.search(text)


ARTIFACT: Final = "module-purposes"
_BATCH: Final = 20
"""Modules of one request."""
_MAX_OUTLINE: Final = 700
"""Maximum characters of one module in a request."""
_MAX_LINE: Final = 160
"""Maximum characters of one definition in a request."""
_log = logging.getLogger(__name__)


class ModuleDescriber(Protocol):
    """Writer of purposes, for one run."""

    def describe(self, outlines: Sequence[str]) -> Mapping[int, str]:
        """Return the valid sentences by position in `outlines`. Raises: ExecutionError."""
        ...

    def format_usage(self) -> str:
        """Format the cost of all requests so far."""
        ...


class ModulePurposes(msgspec.Struct):
    """Purposes of the modules of one revision."""

    sentences: dict[str, str] = {}
    """Sentence by SHA-256 (hexadecimal) of the file's bytes."""
    is_complete: bool = False
    """True if every module was asked for."""

    @classmethod
    def load(cls, sources: SourceStore, repository: str) -> ModulePurposes:
        """Load the purposes of the published revision; empty if there are none."""
        return load_artifact(sources, repository, ARTIFACT, cls) or cls()

    def encode(self) -> bytes:
        return msgspec.msgpack.encode(self)

    def update(
        self,
        files: Sequence[FileFacts],
        hashes: Mapping[str, str],
        describer: ModuleDescriber | None,
        monitor: RunMonitor,
    ) -> None:
        """Drop the purposes of removed contents, and request those of new ones if there is a describer."""
        current = {hashes[facts.path]: facts for facts in files if facts.docstring or facts.definitions}
        self.sentences = {digest: text for digest, text in self.sentences.items() if digest in current}
        missing = [digest for digest in current if digest not in self.sentences]
        self.is_complete = not missing
        if describer is not None and missing:
            self._request({digest: format_outline(current[digest]) for digest in missing}, describer, monitor)

    def _request(self, outlines: Mapping[str, str], describer: ModuleDescriber, monitor: RunMonitor) -> None:
        known, digests, problem = len(self.sentences), list(outlines), ""
        for start in range(0, len(digests), _BATCH):
            monitor.report(IndexProgress("describe", start, len(digests), 0.0, ""))
            batch = digests[start : start + _BATCH]
            try:
                found = describer.describe([outlines[digest] for digest in batch])
            except ExecutionError as error:
                monitor.check()
                _log.warning("modules_undescribed error=%s", error)
                problem = f"; the others keep their rule-made lines until the next run: {error}"
                break
            self.sentences.update({batch[at]: text for at, text in found.items()})
        self.is_complete = not problem
        described, usage = len(self.sentences) - known, describer.format_usage()
        _log.info("modules_described count=%d usage=%s", described, usage)
        message = f"purposes of {described:,} of {len(outlines):,} modules written ({usage}){problem}"
        monitor.report(IndexProgress("describe", len(outlines), len(outlines), 0.0, message))


def format_outline(facts: FileFacts) -> str:
    """Format path, documentation and outer definitions of a module, without any code."""
    text = "\n".join(_iterate_lines(facts))
    return text if len(text) <= _MAX_OUTLINE else text[:_MAX_OUTLINE].rsplit("\n", 1)[0]


def _iterate_lines(facts: FileFacts) -> Iterator[str]:
    yield f"{facts.path}{_format_documentation(facts.docstring)}"[: 2 * _MAX_LINE]
    methods: dict[str, list[str]] = {}
    for one in facts.definitions:
        methods.setdefault(one.parent, []).append(one.name)
    outer = [one for one in facts.definitions if not one.parent and one.kind != "lambda"]
    for one in sorted(outer, key=lambda item: item.start_line - item.end_line):
        yield _format_definition(one, methods.get(one.key, []))[:_MAX_LINE]


def _format_definition(one: Definition, members: Sequence[str]) -> str:
    inner = f" ({', '.join(members)})" if members and one.kind == "class" else ""
    return f"- {one.form or one.kind} {one.name}{_format_documentation(one.docstring)}{inner}"


def _format_documentation(docstring: str) -> str:
    text = " ".join((first_paragraph(docstring) or "").split())
    return f": {text}" if text else ""
