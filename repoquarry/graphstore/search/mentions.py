"""Extraction of paths, stack frames, dotted names and identifiers that a task mentions.

The rules describe how issues are written, not a language: fences and prompts mark code, frames look like `file:line` in every runtime,
and a name is code-like if nobody would write it in prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from repoquarry.graphstore.search.text_analysis import deduplicate
from repoquarry.languages.language import StackFrameSyntax
from repoquarry.languages.registry import all_languages

_WIDEST: Final = 1_000
"""Maximum characters of a line: the time of the expressions below is quadratic in it."""
_MAX_LINES: Final = 20_000

_CALL: Final = re.compile(
    r"^[ \t]*at[ \t]+(?:async |new )?(?P<function>[\w$.<>/]{1,200})?[ \t]*\(?(?P<path>[^\s()]{1,300}?\.\w{1,9}):(?P<line>\d+)(?::\d+)?\)?"
)
"""Frame style `at f (path:line:column)` of most runtimes."""
_PLAIN: Final = re.compile(
    r"^[ \t]*(?P<path>[\w./\\-]{1,300}\.\w{1,5}):(?P<line>\d+):(?:\d+:)?\s*(?:in (?P<function>\w+))?"
)
"""Frame style `path:line: in f` of compilers and others."""
_LAST_NAME: Final = re.compile(r"[./#:]+")
_FRAME_HINT: Final = re.compile(r"\d|\.\w+ in [\w<]")
"""Part of every frame: the line number, or the file before a function."""
_CELL: Final = re.compile(r"^\s*(?:<ipython-input-[\w-]+> in |(?:Cell |Input )?In ?\[\d+\],? (?:line \d+|in <))")
"""Frame of a notebook's cell, which no repository contains: only its source lines follow."""
_ARROW: Final = re.compile(r"^\s*-+>\s*(?P<line>\d+)\b")
"""Source line of a frame that failed, below the frame."""
_MAX_LINES_TO_ARROW: Final = 12


@dataclass(frozen=True)
class StackFrame:
    """Line of a stack trace, or a link to a line of a file; lines are 1-based, 0 if unknown."""

    path: str
    line: int
    function: str


def parse_stack_frames(text: str) -> Iterator[StackFrame]:
    """Yield the frames of all traces, closest to the failure first: some runtimes list the failing one last, most of them first."""
    last: list[StackFrame] = []
    first: list[StackFrame] = []
    lines = [line[:_WIDEST] for line in text.split("\n")[:_MAX_LINES]]
    for number, line in enumerate(lines):
        found = _read(line, StackFrameSyntax(_CALL), StackFrameSyntax(_PLAIN))
        if found is not None:
            style, frame = found
            if not frame.line:
                frame = replace(frame, line=_line_below(lines[number + 1 : number + 1 + _MAX_LINES_TO_ARROW]))
            (last if style.nearest_last else first).append(frame)
    yield from (*reversed(last), *first)


def _line_below(lines: Iterable[str]) -> int:
    """Return the line number behind the first arrow, 0 without any."""
    arrow = next((match for line in lines if (match := _ARROW.match(line))), None)
    return int(arrow["line"]) if arrow else 0


def is_stack_frame(line: str) -> bool:
    """Return whether a line can only be part of a stack trace."""
    return _read(line[:_WIDEST], StackFrameSyntax(_CALL)) is not None


def _read(line: str, *further: StackFrameSyntax) -> tuple[StackFrameSyntax, StackFrame] | None:
    """Return the first matching style of a line, with the frame. Styles of all languages come first."""
    if not _FRAME_HINT.search(line):
        return None  # The styles load all languages.
    for style in (*_styles(), *further):
        if match := style.pattern.search(line):
            groups = match.groupdict()
            function = groups.get("function") or ""
            name = function if style.nearest_last else _LAST_NAME.split(function)[-1]
            return style, StackFrame(match["path"].replace("\\", "/"), int(groups.get("line") or 0), name)
    return None


@cache
def _styles() -> tuple[StackFrameSyntax, ...]:
    return tuple(dict.fromkeys(style for language in all_languages() for style in language.frames))


MAX_CHARACTERS: Final = 40_000
"""Maximum length of a task: the relevant part is at the start, and logs can have any length."""

_FENCE: Final = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_INLINE: Final = re.compile(r"(`{1,2})([^`\n]{1,200})\1")
_PROMPT: Final = re.compile(r"^\s*(>>>|\.\.\.|In \[\d+\]:|Out\[\d+\]:|\$ |# |> )")
_CODE_LINE: Final = re.compile(
    r"^\s*(import |from [\w.]+ import |def |class |return |if .*:$|for .*:$|while .*:$|with .*:$|try:|except\b|raise |@\w"
    r"|public |private |protected |function |const |let |var |package |#include|\}|\{)"
    r"|[;{}]\s*$|^\s*[\w.\[\]'\"]+\s*(?:=|\+=)\s*\S|^\s*[\w.]+\(.*\)\s*;?$"
)
_ERROR: Final = re.compile(r"^\s*(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Warning|Fault|Failure)\b:?.*$", re.MULTILINE)
_PATH: Final = re.compile(
    r"(?<![\w@.+/\\-])[/\\]?[\w@.+-]*(?:[/\\][\w@.+-]+)*\.[A-Za-z][A-Za-z0-9]{0,4}\b(?!\()|[\w@.+-]+(?:/[\w@.+-]+)+"
)
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG: Final = re.compile(r"^\s*(?:\[[^\]\n]{1,30}\]:?\s*)+")
_HEADING: Final = re.compile(r"^\s*(?:#{1,6}\s+(.{1,80}?)|\*\*([^*\n]{1,60})\*\*)[\s:#]*$")
_SURROUNDINGS: Final = re.compile(
    r"\b(versions?|environment|system|platform|installation|installed|dependencies|setup)\b", re.I
)
_CHECKBOX: Final = re.compile(r"^\s*[-*]\s*\[[ xX]\]")
_URL: Final = re.compile(
    r"(?:(?:https?|ftp|git\+https|ssh)://|(?<![\w./@-])(?:www\.|(?:github|gitlab|bitbucket)\.(?:com|org)/[\w.-]+/[\w.-]+/(?:-/)?"
    r"(?:blob|blame|tree|raw|src|issues?|pulls?|commits?|releases|wiki)/))[^\s<>\"'`)\]}]+"
)
"""Address, also without its scheme; a module path of Go is none."""
_BLOB: Final = re.compile(
    r"^(?:\w+://)?(?:raw\.[^/]+/[^/]+/[^/]+|\S*?/(?:blob|blame|raw|src|tree))/[^/]+/(?P<path>[^\s#?]+)(?:#(?:L|lines-)(?P<line>\d+))?"
)
"""Address of a file at a host of repositories."""
_ANCHOR: Final = re.compile(r"#([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)$")
"""End of the address of a documented name."""
_DOTTED: Final = re.compile(r"(?<![\w./])\.?[A-Za-z_$]\w*(?:(?:\.|::|#)[A-Za-z_$]\w*)+")
_IMPORT: Final = re.compile(r"\bfrom\s+([\w.]+)\s+import\s+\(?([\w, \t]+)")
_WORD: Final = re.compile(r"[A-Za-z_$][\w$]*")
_CODE_LIKE: Final = re.compile(r"[a-z0-9][A-Z]|\w_\w|^_+\w|[A-Za-z]\d|[A-Z]{2}[a-z]")
_CALLED: Final = re.compile(r"([A-Za-z_$][\w$]*)\(")


@dataclass(frozen=True)
class TaskMentions:
    """Mentions of a task by part; names in the order of their first mention."""

    title: str
    prose: str
    code: str
    trace: str
    """Error messages and the code lines of stack traces."""
    frames: tuple[StackFrame, ...]
    paths: tuple[str, ...]
    dotted: tuple[str, ...]
    title_words: tuple[str, ...]
    marked_words: tuple[str, ...]
    """Identifiers marked as such: in backquotes, called, or in a spelling that prose does not use."""
    prose_words: tuple[str, ...]
    code_words: tuple[str, ...]
    called_words: tuple[str, ...]
    """Names that are called anywhere in the task."""


def extract_mentions(text: str) -> TaskMentions:
    text = text[:MAX_CHARACTERS].replace("\r\n", "\n").replace("\r", "\n").strip()
    text = "\n".join(line[:_WIDEST] for line in text.split("\n"))
    frames, links = tuple(parse_stack_frames(text)), _read_links(text)
    text = _URL.sub(" ", text)
    title, _, body = _COMMENT.sub("", text).strip().partition("\n")
    title, body = _TAG.sub("", title) or title, _without_frame(body)
    fenced = [match.group(2) for match in _FENCE.finditer(body)]
    open_text = _FENCE.sub("\n", body)
    inline = [match.group(2) for match in _INLINE.finditer(f"{title}\n{open_text}")]
    prose_lines, code_lines, trace_lines = _sort_lines(open_text, fenced)
    prose, code, trace = "\n".join(prose_lines), "\n".join(code_lines), "\n".join(trace_lines)
    words = _WORD.findall(f"{title}\n{prose}")
    marked = [word for part in inline for word in _WORD.findall(part)]
    marked += [word for word in words if _CODE_LIKE.search(word)]
    marked += _CALLED.findall(f"{title}\n{prose}")
    return TaskMentions(
        title=title.strip("# \t"),
        prose=prose,
        code=code,
        trace=trace,
        frames=(*frames, *(place for place in links.places if place.line)),
        paths=tuple(
            deduplicate(
                (*(place.path for place in links.places), *_paths(f"{title}\n{open_text}\n" + "\n".join(fenced)))
            )
        ),
        dotted=tuple(deduplicate((*_dotted(text), *links.names))),
        title_words=tuple(deduplicate(_WORD.findall(title))),
        marked_words=tuple(deduplicate(marked)),
        prose_words=tuple(deduplicate(_WORD.findall(prose))),
        code_words=tuple(deduplicate(_WORD.findall(f"{code}\n{trace}"))),
        called_words=tuple(deduplicate(_CALLED.findall(f"{title}\n{prose}\n{code}\n{trace}"))),
    )


@dataclass(frozen=True)
class _Links:
    """Addresses of a task: places in files of repositories, and documented names."""

    places: tuple[StackFrame, ...]
    names: tuple[str, ...]


def _read_links(text: str) -> _Links:
    addresses = [match.group().rstrip(".,;:") for match in _URL.finditer(text)]
    files = [match for address in addresses if (match := _BLOB.match(address))]
    names = [match[1] for address in addresses if not _BLOB.match(address) and (match := _ANCHOR.search(address))]
    return _Links(tuple(StackFrame(file["path"], int(file["line"] or 0), "") for file in files), tuple(names))


def _without_frame(body: str) -> str:
    """Remove the sections of an issue form that do not describe the problem: headings, check boxes, the reporter's installation."""
    kept: list[str] = []
    skipping = in_fence = False
    for line in body.split("\n"):
        in_fence ^= line.lstrip().startswith(("```", "~~~"))
        heading = None if in_fence else _HEADING.match(line)
        if heading:
            skipping = _SURROUNDINGS.search(heading.group(1) or heading.group(2)) is not None
        elif not skipping and not (_CHECKBOX.match(line) and not in_fence):
            kept.append(line)
    return "\n".join(kept)


def _sort_lines(open_text: str, fenced: Iterable[str]) -> tuple[list[str], list[str], list[str]]:
    """Sort lines into prose, code and traces."""
    prose: list[str] = []
    code: list[str] = []
    trace: list[str] = []
    in_trace = False
    marked = ((line, False) for line in open_text.split("\n"))
    for line, is_fenced in [*marked, *((line, True) for part in fenced for line in part.split("\n"))]:
        if is_stack_frame(line) or _CELL.match(line) or line.lstrip().startswith("Traceback (most recent"):
            in_trace = True
            trace.append("")  # Frames are looked up by name, and the header contains none.
        elif _ERROR.match(line) or in_trace:
            trace.append(line)
            in_trace = in_trace and (line[:1] in (" ", "\t") or _ARROW.match(line) is not None)
        elif is_fenced or _PROMPT.match(line) or _CODE_LINE.search(line):
            code.append(line)
        else:
            prose.append(line)
    return prose, code, trace


def _paths(text: str) -> Iterator[str]:
    """Yield everything that could be a path, without the repository part of an address."""
    for match in _PATH.finditer(text):
        path = match.group().replace("\\", "/").strip("./")
        if path:
            yield path


def _dotted(text: str) -> Iterator[str]:
    """Yield dotted names, including those that imports spell in two parts."""
    for module, names in _IMPORT.findall(text):
        for name in names.split(","):
            parts = name.split()
            if parts:
                yield f"{module.strip('.')}.{parts[0]}"
    for match in _DOTTED.finditer(text):
        yield re.sub(r"::|#", ".", match.group()).strip(".")
