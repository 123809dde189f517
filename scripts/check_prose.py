"""Prose lint: `python scripts/check_prose.py [--list [PACKAGE]]`; `--commit-message FILE` checks the subject of a commit.

It finds constructions that plain technical English avoids, in pages, docstrings, comments, messages and command help. `budgets.toml`
holds the number of findings that each package may still have. A number only goes down.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import tomllib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

from check_budgets import ROOT, tracked_files

_MAX_ENTRY_CHARACTERS = 100
_MAX_SUBJECT_CHARACTERS = 72

_SENTENCE_START = r"(?:\A|(?<=[.:!] )|(?<=\n\n))"
_BRITISH_STEMS = (
    "normal|serial|recogn|initial|optim|organ|general|special|summar|minim|maxim|synchron|categor|local|token|util"
)
#: construction -> what to write instead
BANNED = {
    _SENTENCE_START
    + r"(?:What|Which|Whose|Whether|Of|Who) (?![^.?]*\?)": "a concrete subject; predicates: Return whether",
    r"\b(?:is|are|was|were|be|been) (?:told|said (?:by|of))\b": "reported, notified",
    r"\b(?:known|asked|said|says?|told|tells?|speaks?|spoken) of\b|\bspeaks? for\b": "mentions, requested from, evidence for",
    r"\b(?:says|said) so\b": "reports it",
    r"\banew\b": "again; rebuilt",
    r"\bbegun\b": "started",
    r"\b(?:go|goes|going|went|gone) on\b(?! to\b)": "continue, resume",
    r"\b(?:is|are|was|were|be) gone\b": "missing, exited",
    r"\bgiv(?:e|es|en|ing) (?:it |them |one )?back\b": "return, release",
    r"\bput down\b": "recorded",
    r"\bbeside\b": "next to, in parallel with, besides",
    r"\bapart\b(?! from)": "separate, in a subprocess",
    r"\b(?:stays?|replaced|read|written|is|are|be) whole\b": "complete, atomic",
    r"\bwhole numbers?\b": "integer",
    r"(?<!other )\bin words\b": "in natural language",
    r"\b(?:its|their|a|the) course\b": "pipeline, run",
    r"\b(?:no|the|make|makes|more|its|of) room\b": "memory, disk space, package",
    r"(?<![Tt]here )\b(?:is|are) no (?!longer|more|other|less|fewer|different|such)\w+\b(?<!good)(?<!use)": "is not a, invalid",
    r"\b(?:stands?|lies?|lay) (?:in|at|on|behind|below|between|above|before|beside|there|where|here)\b": "is located",
    r"\b(?:is|are|was|were|be) sure\b": "confident",
    r"\bthe most (?:that|it|they|a|an|of)\b": "at most, maximum",
    r"\b(?:of|by|with|beside|behind) what\b(?<!egardless of what)": "name the thing",
    r"\b(?:for|by|to|of) who\b|\bwhoever\b": "name the reader, the caller",
    r"\bcomes? to (?:hold|be|have|mean)\b": "become, gain",
    r"\bmov(?:ed|es) on\b": "changed, out of date",
    r"\bbears? on\b": "affects",
    r"\ba fault of\b": "internal error",
    r"\b(?:left|leaves|leave|leaving) (?:\w+ )?out\b(?! of)": "skipped, omitted",
    r", else (?:the|its|their|those|what|a|an|that|of|by)\b": "defaults to, otherwise",
    r"(?<!\.)\b(?:behaviour|colour|favour|neighbour|catalogue|licence)s?\b": "American spelling",
    rf"\b(?:{_BRITISH_STEMS})is(?:e|ed|es|er|ers|ing|ation)\b|\banalys(?:e|ed|ing)\b": "American spelling",
}
_PATTERNS = [(re.compile(pattern), remedy) for pattern, remedy in BANNED.items()]
_CODE = re.compile(r"^(```|~~~).*?^\1|<!--.*?-->|`[^`\n]*`|\]\([^)\n]*\)|https?://\S+", re.DOTALL | re.MULTILINE)
_LINE_COMMENT = re.compile(r"((?:[ \t]*///?[<!]?[^\n]*\n)+)|//[/!<]*([^\n]*)")
#: strings of Python code that are regular expressions, queries or tables
_NOT_PROSE = re.compile(r"\\[bswdW(.]|\(\?|\bMATCH\b|\bSELECT\b|\Aimport |\A\s*$")


class Finding(NamedTuple):
    """One banned construction, and what to write instead."""

    line: int
    text: str
    remedy: str


def find_in_text(text: str, line: int = 1) -> Iterator[Finding]:
    """Find banned constructions in prose; inline code and code blocks are skipped. `line` is the number of the first line."""
    text = _CODE.sub(lambda code: "`" + "\n" * code[0].count("\n") + "`", text)
    prose, offsets = "", []
    for word in re.finditer(r"(\s*)(\S+)", text):
        prose += "\n\n" if word[1].count("\n") > 1 else " " if prose else ""
        offsets.append((len(prose), line + text.count("\n", 0, word.start(2))))
        prose += word[2]
    for pattern, remedy in _PATTERNS:
        for match in pattern.finditer(prose):
            yield Finding(offsets[bisect_right(offsets, (match.start(), sys.maxsize)) - 1][1], match[0].strip(), remedy)


def _python_comments(source: str) -> Iterator[tuple[str, int]]:
    """Yield the comments of a source with their lines; those on consecutive lines are one."""
    comment, start, last = "", 0, 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] != last + 1:
                yield comment, start
                comment, start = "", token.start[0]
            comment, last = comment + token.string.lstrip("#: ") + "\n", token.start[0]
    yield comment, start


def _python_strings(tree: ast.AST, literals: bool) -> Iterator[tuple[str, int]]:
    """Yield docstrings and, with `literals`, other strings of several words with their lines."""
    for node in ast.iter_child_nodes(tree):
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        text = ""
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        if text and (literals or isinstance(tree, ast.Expr)) and len(text.split()) > 2 and not _NOT_PROSE.search(text):
            yield text, node.lineno  # type: ignore[attr-defined]
        elif literals or is_docstring or not isinstance(node, ast.Constant | ast.JoinedStr):
            yield from _python_strings(node, literals)


def _comments(text: str) -> Iterator[tuple[str, int]]:
    for match in _LINE_COMMENT.finditer(text):
        block = re.sub(r"^[ \t]*//+[<!]?", "", match[1] or match[2], flags=re.MULTILINE)
        yield re.sub(r"^ ", "", block, flags=re.MULTILINE), text.count("\n", 0, match.start()) + 1


def find_in_file(path: Path, *, literals: bool = True) -> list[Finding]:
    """List the findings of a Python, C++, proto or Markdown file. `literals` includes the strings of Python code."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        blocks = [*_python_comments(text), *_python_strings(ast.parse(text), literals)]
    else:
        blocks = [(text, 1)] if path.suffix in (".md", ".tsv") else list(_comments(text))
    found = [finding for block, line in blocks for finding in find_in_text(block, line)]
    if path.name == "CHANGELOG.md":
        entries = re.finditer(r"^- .*(?:\n  .*)*", text, re.MULTILINE)
        long = [entry for entry in entries if len(entry[0]) > _MAX_ENTRY_CHARACTERS]
        line_of = [text.count("\n", 0, entry.start()) + 1 for entry in long]
        found += [Finding(line, "long entry", f"at most {_MAX_ENTRY_CHARACTERS} characters") for line in line_of]
    return sorted(found)


def check_subject(message: str) -> list[str]:
    """List what is wrong with the subject of a commit message."""
    subject = message.partition("\n")[0]
    problems = []
    if len(subject) > _MAX_SUBJECT_CHARACTERS:
        problems.append(f"subject has {len(subject)} characters; use at most {_MAX_SUBJECT_CHARACTERS}")
    if subject.endswith(".") or ";" in subject:
        problems.append("subject has a final period or a semicolon; describe one change without either")
    return problems


def main() -> int:
    if sys.argv[1:2] == ["--commit-message"]:
        problems = check_subject(Path(sys.argv[2]).read_text("utf-8"))
        print(*problems, sep="\n", end="\n" if problems else "")
        return bool(problems)
    table = tomllib.loads((ROOT / "budgets.toml").read_text())
    limits: dict[str, int] = table["prose"]["max_findings"]
    by_package: dict[str, list[str]] = defaultdict(list)
    for name in tracked_files():
        package = next((one for one in limits if name == one or name.startswith(one + "/")), None)
        if package is None or any(fnmatch(name, one) for one in (*table["generated"], *table["prose"]["exclude"])):
            continue
        if name.endswith((".py", ".md", ".h", ".cpp", ".proto", "commands.tsv", "error_reasons.tsv")):
            found = find_in_file(ROOT / name, literals=package != "tests")
            by_package[package] += [f"{name}:{line}: {text!r}: {remedy}" for line, text, remedy in found]
    over = [package for package, limit in limits.items() if len(by_package[package]) > limit]
    listed = sys.argv[2:] or list(limits) if "--list" in sys.argv else over
    for package in listed:
        print(*by_package[package], f"{package}: {len(by_package[package])} of {limits[package]} findings", sep="\n")
    return bool(over)


if __name__ == "__main__":
    raise SystemExit(main())
