"""Conversion of Jupyter notebooks (nbformat 3 and 4) to Python source.

A notebook is read as a script: each cell begins with a line `# %% cell 3`, which counts cells from 1 in the order of the notebook. Code
follows line by line, Markdown as comments; outputs and raw cells are skipped. Lines of the graph are lines of this script, and every
reader of the stored text sees the script, so that a position leads to its cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import msgspec

SUFFIX: Final = ".ipynb"
ENCODING: Final = "ipynb"
"""Stands where other files have a codec; no codec has this name."""


class _CellRecord(msgspec.Struct):
    """Cell of the JSON document; nbformat 3 calls the code `input`. Outputs are skipped by the decoder."""

    cell_type: str = ""
    source: str | list[str] = ""
    input: str | list[str] = ""
    language: str = ""

    @property
    def text(self) -> str:
        source = self.source or self.input
        text = source if isinstance(source, str) else "".join(source)
        return re.sub(r"\r\n?", "\n", text)


class _Worksheet(msgspec.Struct):
    cells: list[_CellRecord] = []


class _Kernel(msgspec.Struct):
    name: str = ""
    language: str = ""


class _Metadata(msgspec.Struct):
    kernelspec: _Kernel | None = None
    language_info: _Kernel | None = None


class _NotebookRecord(msgspec.Struct):
    cells: list[_CellRecord] = []
    worksheets: list[_Worksheet] = []
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)


_DECODER: Final = msgspec.json.Decoder(_NotebookRecord)


@dataclass(frozen=True)
class NotebookScript:
    """Script of a notebook."""

    text: str
    error: str = ""
    """Reason why the file is not a notebook; empty for a notebook."""
    language: str = "python"
    """Language of the notebook's kernel, in lower case."""


def is_notebook(path: str) -> bool:
    """Return whether a file is a notebook by its suffix."""
    return path.lower().endswith(SUFFIX)


def read_notebook(content: bytes) -> NotebookScript:
    """Read a notebook. Never raises: another file has no text and states why."""
    try:
        record = _DECODER.decode(content.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as exc:
        return NotebookScript("", f"not a notebook: {exc}")
    cells = [*record.cells, *(cell for sheet in record.worksheets for cell in sheet.cells)]
    parts = (f"# %% cell {number}{_script_of(cell)}" for number, cell in enumerate(cells, 1))
    return NotebookScript("".join(parts), language=_language(record.metadata, cells))


def _language(metadata: _Metadata, cells: list[_CellRecord]) -> str:
    """The kernel's language; Python where a notebook does not name one, as nbformat 3 names it in cells only."""
    info, kernel = metadata.language_info or _Kernel(), metadata.kernelspec or _Kernel()
    named = info.name or kernel.language or next((cell.language for cell in cells if cell.language), "") or "python"
    return "python" if named.lower().startswith(("python", "ipython")) else named.lower()


def _script_of(cell: _CellRecord) -> str:
    """The rest of a cell's first line, and its further lines."""
    if cell.cell_type == "code":
        return "\n" + "".join(_code_lines(cell.text))
    if cell.cell_type in ("markdown", "heading"):
        return " [markdown]\n" + "".join(f"# {line}\n" for line in _lines(cell.text))
    return " [raw]\n"


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


_CELL_MAGIC: Final = re.compile(r"\s*%%(\w+)")
_PYTHON_MAGICS: Final = frozenset({"time", "timeit", "capture", "prun", "memit", "mprun", "lprun"})
"""Cell magics whose cell is Python; the cell of any other one belongs to another program."""
_MAGIC_LINE: Final = re.compile(
    r"([ \t]*)((?:[!?]|%{1,2}[A-Za-z_]|[\w.]+\?{1,2}[ \t]*(?=\n|\Z))(?:[^\n\\]|\\[^\n]|\\\n)*)"
)
_ASSIGNED_COMMAND: Final = re.compile(
    r"([ \t]*[\w.,\[\]'\" ]{1,200}?=[ \t]*)((?:!|%[A-Za-z_])(?:[^\n\\]|\\[^\n]|\\\n)*)"
)
_TOKEN: Final = re.compile(
    r"\"\"\"[\s\S]*?(?:\"\"\"|\Z)|'''[\s\S]*?(?:'''|\Z)|\"(?:\\[\s\S]|[^\"\\\n])*\"?|'(?:\\[\s\S]|[^'\\\n])*'?"
    r"|#[^\n]*|\\\n|[([{]|[)\]}]|\n|[^\"'#\\()\[\]{}\n]+|\\"
)


def _code_lines(code: str) -> Iterator[str]:
    """Yield the lines of a code cell. Magics and shell commands become comments, so that every line stays where it is."""
    magic = _CELL_MAGIC.match(code)
    if magic and magic[1] not in _PYTHON_MAGICS:
        yield from (f"# {line}\n" for line in _lines(code))
        return
    code = f"{code}\n" if code and not code.endswith("\n") else code
    position = 0
    while position < len(code):
        if found := _MAGIC_LINE.match(code, position):
            indent, command = found.groups()
            # A block must not become empty.
            yield _commented(f"{indent}pass  " if indent else "", command)
        elif found := _ASSIGNED_COMMAND.match(code, position):
            yield _commented(f"{found[1]}None  ", found[2])
        else:
            end = _statement_end(code, position)
            yield code[position:end]
            position = end
            continue
        position = found.end() + (code[found.end() : found.end() + 1] == "\n")


def _commented(before: str, command: str) -> str:
    return f"{before}# " + command.rstrip("\n").replace("\n", "\n# ") + "\n"


def _statement_end(code: str, position: int) -> int:
    """The end of the line on which the statement ends: strings, brackets and backslashes continue a statement."""
    depth = 0
    for token in _TOKEN.finditer(code, position):
        text = token[0]
        if text == "\n" and depth <= 0:
            return token.end()
        depth += (text in "([{") - (text in ")]}")
    return len(code)
