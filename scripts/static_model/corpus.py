"""Pairs of documentation and code from wheels of permissively licensed packages.

Packages are only read, never imported or run. Python's own parser is used only here, because the training data is Python; the model's
tokens are independent of the language.
"""

from __future__ import annotations

import ast
import hashlib
import random
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PACKAGES: Final = Path(__file__).parent / "packages.tsv"

HELD_OUT: Final = ("celery", "pymongo", "rich", "werkzeug")
"""Held-out packages for decisions about the model; never used for training."""

_MAX_PAIRS_PER_PACKAGE: Final = 16_000
_MAX_FILE_BYTES: Final = 1_000_000
_MAX_CODE_CHARACTERS: Final = 6_000
_MAX_PROSE_CHARACTERS: Final = 1_500
_MAX_REPEATS: Final = 3
"""Maximum repetitions of a first paragraph in a package; further ones say nothing about the code."""

_COPIED = re.compile(
    r"(^|/)(_?vendor(ed)?|third_party|extern(al)?s?|_?bundled|site-packages)(/|$)|_pb2|/locale/|/translations/"
)


@dataclass(frozen=True)
class Pair:
    """Function or class: its documentation, and its source without the documentation."""

    package: str
    path: str
    qualname: str
    prose: str
    code: str

    @property
    def line(self) -> str:
        return first_line(self.prose)

    @property
    def paragraph(self) -> str:
        return first_paragraph(self.prose)

    @property
    def rest(self) -> str:
        """Return the documentation after the first paragraph."""
        return re.split(r"\n\s*\n", self.prose.strip(), maxsplit=1)[-1] if "\n" in self.prose.strip() else ""


def first_line(prose: str) -> str:
    """Return the first line of a docstring that is not blank."""
    return prose.strip().split("\n", 1)[0].strip()


def first_paragraph(prose: str) -> str:
    """Return the first paragraph of a docstring as one line."""
    return " ".join(re.split(r"\n\s*\n", prose.strip(), maxsplit=1)[0].split())


@dataclass(frozen=True)
class Documented:
    """Documented definition. `code` is its source from the first decorator on, without the docstring."""

    qualname: str
    prose: str
    code: str
    is_class: bool


def documented(source: str) -> Iterator[Documented]:
    """Yield every documented class and function of a Python file. Raises SyntaxError."""
    lines = source.splitlines(keepends=True)
    waiting: list[tuple[ast.AST, tuple[str, ...]]] = [(ast.parse(source), ())]
    while waiting:
        node, names = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                # Definitions under `if` and `try`.
                if hasattr(child, "body"):
                    waiting.append((child, names))
                continue
            inner = (*names, child.name)
            waiting.append((child, inner))
            prose = ast.get_docstring(child)
            if prose:
                first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
                said = child.body[0]
                code = lines[first - 1 : said.lineno - 1] + lines[said.end_lineno or 0 : child.end_lineno]
                yield Documented(".".join(inner), prose, "".join(code), isinstance(child, ast.ClassDef))


def read_wheel(package: str, wheel: Path) -> list[Pair]:
    """Return the pairs of one wheel in a machine-independent order."""
    pairs: list[Pair] = []
    code_seen: set[bytes] = set()
    said: Counter[str] = Counter()
    with zipfile.ZipFile(wheel) as archive:
        for entry in sorted(archive.infolist(), key=lambda entry: entry.filename):
            wanted = entry.filename.endswith(".py") and entry.file_size <= _MAX_FILE_BYTES
            if not wanted or _COPIED.search(entry.filename):
                continue
            try:
                found = list(documented(archive.read(entry).decode("utf-8")))
            except (SyntaxError, ValueError, RecursionError):
                continue
            for item in found:
                paragraph = first_paragraph(item.prose)
                digest = hashlib.sha256(item.code.encode()).digest()
                known = digest in code_seen or said[paragraph] >= _MAX_REPEATS
                if known or not _says_something(paragraph, item.code):
                    continue
                code_seen.add(digest)
                said[paragraph] += 1
                prose, code = item.prose[:_MAX_PROSE_CHARACTERS], item.code[:_MAX_CODE_CHARACTERS]
                pairs.append(Pair(package, entry.filename, item.qualname, prose, code))
    random.Random(0).shuffle(pairs)  # noqa: S311 (no secret)
    return pairs[:_MAX_PAIRS_PER_PACKAGE]


def _says_something(paragraph: str, code: str) -> bool:
    return len(paragraph) >= 8 and len(re.findall(r"[A-Za-z]{2,}", paragraph)) >= 2 and len(code.split()) >= 4


def listed_packages() -> list[tuple[str, str, str]]:
    """Return (name, version, license) of the training packages listed in packages.tsv."""
    rows = [line.split("\t") for line in PACKAGES.read_text().splitlines() if line and not line.startswith("#")]
    return [(name, version, licence) for name, version, licence in rows]


def read_corpus(wheels: Path, workers: int = 2) -> list[Pair]:
    """Return the pairs of all listed packages, whose wheels are located in `wheels`.

    Raises: FileNotFoundError with the download command if a wheel is missing.
    """
    jobs = []
    for name, version, _ in listed_packages():
        found = sorted(wheels.glob(f"{re.sub(r'[-_.]+', '_', name)}-{version}-*.whl"))
        if not found:
            raise FileNotFoundError(
                f"no wheel of {name} {version} in {wheels}: pip download --no-deps --only-binary :all: {name}=={version}"
            )
        jobs.append((name, found[0]))
    pairs: list[Pair] = []
    seen: set[bytes] = set()
    with ProcessPoolExecutor(workers) as pool:
        for found_pairs in pool.map(read_wheel, *zip(*jobs, strict=True)):
            for pair in found_pairs:
                digest = hashlib.sha256(f"{pair.prose}\0{pair.code}".encode()).digest()
                # Packages copy code from each other.
                if digest not in seen:
                    seen.add(digest)
                    pairs.append(pair)
    return pairs
