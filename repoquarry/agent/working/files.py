"""Which files a task is about: the inputs that it names, and where it wants the output."""

from __future__ import annotations

import mimetypes
import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from repoquarry.agent.task import TaskRequest
from repoquarry.execution.workspaces.files import INPUTS, OUTPUTS

_OUTPUT: Final = re.compile(rf"(?<![\w/.-]){OUTPUTS}/[\w][\w./-]*\w")
_FILE: Final = re.compile(r"(?<![\w/.:-])[\w-]+\.[A-Za-z]\w{0,4}(?![\w(/])")
_WANTED: Final = re.compile(
    r"(?:\b(?:to|into|as|in)\s+(?:an?\s+|the\s+)?(?:plain\s+|its\s+)?|[\u6210\u4e3a\u5230]\s*)([a-z0-9]+)(?![a-z0-9])",
    re.IGNORECASE,
)
"""A word behind a preposition, in English and Chinese."""
_LEFT_OPEN: Final = re.compile(r"\s+with (?:the|a|an|its) (?:\w+ )?(?:suffix|extension)", re.IGNORECASE)
"""Behind the name of an output whose suffix the task leaves open."""

_KIND: Final = re.compile(
    r"(?<![A-Za-z0-9/._-])\.?([A-Za-z0-9]{2,8})\s*(?:files?\b|format\b|\u6587\u4ef6(?!\u5939)|\u683c\u5f0f)",
    re.IGNORECASE,
)
"""A word in front of `file` or `format`, in English and Chinese (where a folder is a file and one more character)."""

_ENTRY: Final = re.compile(r"^\s*[-*]\s.*$", re.MULTILINE)
"""An entry of a list: tasks list their inputs so, and say there what those are."""

SUFFIXES: Final = {
    "text": "txt",
    "markdown": "md",
    "excel": "xlsx",
    "jpeg": "jpg",
    "yaml": "yml",
    **{
        kind: kind
        for kind in (
            "json",
            "csv",
            "tsv",
            "html",
            "xml",
            "pdf",
            "png",
            "svg",
            "wav",
            "mp3",
            "docx",
            "xlsx",
            "txt",
            "jpg",
        )
    },
}
"""Suffix of a file by the word for its format."""


@dataclass(frozen=True)
class TaskFiles:
    """Paths relative to the workspace."""

    inputs: tuple[str, ...]
    output: str
    named: bool
    """Whether the task or one of its checks names the output; else its name is made from the input's."""

    @property
    def suffix(self) -> str:
        """Of the output, without the dot."""
        return PurePosixPath(self.output).suffix.lstrip(".").lower()


def is_work(request: TaskRequest) -> bool:
    """Whether a task wants something made of files, and is no question: it has a workspace, and inputs or a named output."""
    return request.workspace and bool(request.inputs or request.checks or _OUTPUT.search(request.text))


def files_of(request: TaskRequest) -> TaskFiles:
    """The files of a task; inputs in the order in which its text names them, all of them where it names none."""
    named = sorted((at, path) for path in request.inputs if (at := _position(request.text, path)) >= 0)
    inputs = tuple(f"{INPUTS}/{path}" for path in ([path for _, path in named] or request.inputs))
    output = _named_output(request, inputs)
    return TaskFiles(inputs, output or _made_output(request.text, inputs), bool(output))


def _position(text: str, path: str) -> int:
    """Where a text names a file, by its path or its name; -1 where it does not."""
    return max(text.find(path), text.find(PurePosixPath(path).name))


def _named_output(request: TaskRequest, read: tuple[str, ...]) -> str:
    for check in request.checks:
        if check.path:
            return check.path
    if found := _OUTPUT.search(request.text):
        return _with_suffix(found[0], request.text, read) if _LEFT_OPEN.match(request.text, found.end()) else found[0]
    inputs = {PurePosixPath(path).name for path in request.inputs}
    others = [name for name in _FILE.findall(request.text) if name not in inputs and mimetypes.guess_type(name)[0]]
    return f"{OUTPUTS}/{others[-1]}" if others else ""


def _with_suffix(output: str, text: str, inputs: tuple[str, ...]) -> str:
    """The output with the suffix of the format that is asked for, else the input's: many programs decide by it what they write."""
    if PurePosixPath(output).suffix:
        return output
    formats = _formats(text)
    suffix = f".{formats[-1]}" if formats else PurePosixPath(inputs[0]).suffix if inputs else ""
    return output + suffix


def _formats(text: str) -> list[str]:
    """Suffixes of the formats that a text asks for, in its order; what a list says of inputs is no wish."""
    text = _ENTRY.sub("", text)
    words = sorted((match.start(1), match[1].lower()) for found in (_WANTED, _KIND) for match in found.finditer(text))
    return [SUFFIXES[word] for _, word in words if word in SUFFIXES]


def _made_output(text: str, inputs: tuple[str, ...]) -> str:
    """A name for the output: that of the first input, with the suffix of the format that the text asks for."""
    formats = _formats(text)
    stem = PurePosixPath(inputs[0]).stem if inputs else "result"
    return f"{OUTPUTS}/{stem}.{formats[-1] if formats else 'txt'}"
