"""Search for constants, settings and defaults with their values, in the stored texts of code and configuration files.

Constants are not in the graph: reading the texts of all files of a large repository takes a few tenths of a second, and an assignment has
the same form in most languages: a name, an optional type, and a literal after `=`, `:=` or, for a quoted name, a colon.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from repoquarry.code.reader import CodeReader
from repoquarry.graphstore.model.values import Node, get_str
from repoquarry.graphstore.search.text_analysis import terms
from repoquarry.languages.setting_files import read_settings

_ASSIGNED = re.compile(
    r"""^(?P<indent>[ \t]*)(?:[A-Za-z_][\w.<>\[\]?&*]*[ \t]+){0,5}?
    (?:self\.|this\.|this->|\$this->|[@$]+)?(?P<quote>["']?)(?P<name>[A-Za-z_][\w.-]*)(?P=quote)
    (?:(?:[ \t]*:[ \t]*[^=\n:()]{1,80}?|[ \t]+(?:string|bool|byte|rune|u?int\d*|float\d+|[a-z]\w*\.[A-Z]\w*))?
    [ \t]*(?::|\|\||\?\?)?=(?![=~>])|(?<=["'])[ \t]*(?::|=>))[ \t]*(?P<value>\S[^\n]{0,400})$""",
    re.VERBOSE | re.MULTILINE,
)
"""Words before the name are modifiers and types; words after a name are a type of Go."""
_LITERAL = re.compile(
    r"""[-+]?\.?\d|["'\[{(]|[bfruBFRU]["']|(?:[Tt]rue|[Ff]alse|None|null|nil)\b|[A-Z][A-Z\d_]{2,}\b
    |(?:[\w.]+\((?:\w+\s*=\s*)?){1,2}(?:[-+]?\d|["'\[{]|[A-Z_]{3,}|True|False|None)""",
    re.VERBOSE,
)
_FALLBACK = re.compile(
    rf"[\w.\[\]()?!$> -]*?(?:\|\||\?\?|\?:|\bor\b|\?[^:\n]*:)\s*(?P<value>(?:{_LITERAL.pattern}).*)$", re.VERBOSE
)
"""Value that applies where another one is missing, as in `options.port || 80`."""
_DOTTED = re.compile(r"[\w.:]*")
_ENVIRONMENT = r"(?:(?:[eE][nN][vV]|environ)\w*(?:(?:\.|::)\w+)?)"
_SET_BY_NAME = re.compile(
    rf"""(?:(?:\b(?:set|setdefault|setdefaults|set_default|SetDefault|setItem|setProperty|put|define|getOrDefault|getProperty)|{_ENVIRONMENT})
    \(\s*(?P<quote>["'])(?P<name>[A-Za-z_][\w. -]*)(?P=quote)\s*(?:,|\)\s*(?:\?:|\?\?|\|\||\bor\b|\.unwrap_or\w*\((?:\|\w*\|)?))
    |\[\s*(?P<bracket>["'])(?P<key>[A-Za-z_][\w.-]*)(?P=bracket)\s*\]\s*=(?!=)
    |\#[ ]*define[ \t]+(?P<macro>[A-Za-z_]\w*)[ \t]
    |\bprocess\.env\.(?P<variable>\w+)\s*(?:\|\||\?\?))\s*(?:default\s*=\s*)?(?P<value>\S[^\n]{{0,400}})""",
    re.VERBOSE,
)
_SIGNATURE = re.compile(
    r"^[ \t]*(?!(?:return|await|yield|raise|throw|new|if|while|for|switch|assert|else|elif|print)\b)"
    r"(?:(?:[a-z]+[ \t]+){0,4}(?:def|function|func|fn|fun|constructor)\b[^\n(]*"
    r"|(?:[A-Za-z_][\w.<>\[\]?:&*]*[ \t]+){1,5}\w+|(?:async[ \t]+)?\w+(?=[ \t]*\([^\n]*\)[ \t]*\{$))[ \t]*\((?P<parameters>[^\n]*)",
    re.MULTILINE,
)
_PARAMETER = re.compile(
    r"(?:^|[,(]\s*)(?:[A-Za-z_](?:[\w.<>\[\]?&*]|::)*[ \t]+)*[$&]?(?P<name>[A-Za-z_]\w*)"
    r"\s*(?::\s*[^=,()]+?(?:\[[^\]]*\][^=,()]*)?)?\s*=(?![=>])\s*(?P<value>[^\n]{1,400})"
)
_KEY_FALLBACK = re.compile(
    r"^[ \t]*(?P<name>[A-Za-z_$][\w$]*):[ \t]*(?P<value>[\w$.?\[\]]+ (?:\?\?|\|\|) \S[^\n]{0,400})$", re.MULTILINE
)
"""Key of an object with a value that applies where another one is missing, as in `timeout: options.timeout ?? 10_000`."""
_FIELD = re.compile(r"^[\w.]*(?:[Ff]ield|attrib|Option|Argument)\(.*?\bdefault\s*=\s*(?P<value>.+)$")
_OPTION = re.compile(r"""^[\w.]*(?:Option|Field)\((?![^)]*\bdefault\s*=)(?!["']-|\.\.\.|\)|\w+\s*=)(?P<value>.+)$""")
"""First argument as the default, as in `Option(False)` and `Field(5, gt=0)`."""
_PROSE = re.compile(r"""^[ \t]*(?:/\*.*?\*/|[rRuU]?\"{3}.*?\"{3}|[rRuU]?'{3}.*?'{3})""", re.MULTILINE | re.DOTALL)
"""Comment or docstring of several lines: an assignment in it is an example."""
_COMMENT = re.compile(r"^\s*(?:#|//|\*|--|;)+[!:]?\s?(?P<text>.*)$")
_INK = re.compile(r"\S")
_TRAILING_COMMENT = re.compile(r"\s+(?:#|//)\s*(?P<text>.*)$")
_KEY_SEPARATORS = re.compile(r"[-_ ]+")
_EMPTY: Final = frozenset({"none", "null", "nil", "undefined", '""', "''", "{}", "[]", "()"})
_MAX_VALUE_CHARACTERS: Final = 120
_COMMENT_LINES: Final = 4
_COMMENT_WEIGHT: Final = 0.4
_PATH_WEIGHT: Final = 0.15
_LOWER_CASE_WEIGHT: Final = 0.65
"""Weights of a term in a comment or path relative to one in the name, and of a lower-case name relative to a constant in capitals."""
_MIN_COVERED_SHARE: Final = 0.3
"""Share of the wanted terms that the name and comment of a constant must contain."""
_EMPTY_WEIGHT: Final = 0.6
"""Weight of an empty value such as None."""


@dataclass(frozen=True)
class Constant:
    """A name that is set to a literal."""

    repository: str
    path: str
    line: int
    """1-based."""

    name: str
    value: str
    """Value as written, cut to one line, without the comment after it."""

    comment: str = ""
    """Text of the comments above and after it."""

    outer: str = ""
    """Names that enclose it, as in `task` for the `acks_late` of `task=Namespace(acks_late=…)`; joined by dots."""

    score: float = 0.0

    @property
    def full_name(self) -> str:
        """Name with the names that enclose it."""
        return f"{self.outer}.{self.name}" if self.outer else self.name


def find_constants(reader: CodeReader, text: str, repositories: Sequence[str]) -> list[Constant]:
    """Find the names outside tests that are set to a literal and mention some words, best first."""
    wanted = terms(text)
    paths = reader.store.execute_named("code_paths", repositories=list(repositories)).rows
    files = ((get_str(repository), get_str(path)) for repository, path in paths)
    # Not by `reader.text`, which would cache every text.
    contents = ((*file, reader.store.source_text(*file)) for file in files)
    # The last letter of a word may differ from that of its stem.
    mentioned = re.compile("|".join(re.escape(term[:-1] or term) for term in wanted) or r"(?!)", re.IGNORECASE)
    found = (content for content in contents if mentioned.search(content[2]))
    return rank_constants((item for content in found for item in iterate_constants(*content, set(wanted))), wanted)


def find_settings(reader: CodeReader, name: str, repositories: Sequence[str]) -> list[Constant]:
    """Find a key in configuration files, also by the end of its dotted name, outer folders first; case, `-`, `_` and spaces are ignored."""
    wanted = _normalize_key(name)
    if not wanted.strip("."):
        return []
    found = []
    for repository in set(repositories).intersection(reader.store.text_repositories()):
        for path in reader.store.list_setting_files(repository):
            text = reader.store.source_text(repository, path)
            if wanted.rpartition(".")[2] not in _normalize_key(text):
                continue
            found += [
                Constant(repository, path, item.line, item.key, item.value, score=1.0)
                for item in read_settings(path, text)
                if f".{_normalize_key(item.key)}".endswith(f".{wanted}")
            ]
    return sorted(found, key=lambda item: (item.path.count("/"), item.repository, item.path, item.line))


def find_values(reader: CodeReader, text: str, repositories: Sequence[str]) -> list[Constant]:
    """Find constants with exactly this name, then keys of configuration files, then other constants that mention the words."""
    found = find_constants(reader, text, repositories)
    own = [item for item in found if is_named(item, text)]
    return [*own, *find_settings(reader, text, repositories), *(item for item in found if item not in own)]


def is_named(item: Constant, name: str) -> bool:
    """Return whether a constant or key has this name, also behind other names."""
    wanted = _normalize_key(name)
    outer = _normalize_key(item.outer).replace(".", "")
    own = _normalize_key(item.name).rpartition(".")[2]
    return own == wanted.rpartition(".")[2] or any(
        f"{outer[start:]}{own}" == wanted.replace(".", "") for start in _starts(item.outer)
    )


def _starts(outer: str) -> list[int]:
    """Return the offsets in the joined enclosing names at which one of them begins."""
    found = []
    offset = 0
    for part in outer.split(".") if outer else []:
        found.append(offset)
        offset += len(_normalize_key(part))
    return found


def list_setting_nodes(found: Iterable[Constant]) -> list[Node]:
    """Return settings as nodes, which the graph does not hold."""
    return [
        Node(
            f"{item.repository}:{item.path}::{item.name}",
            ("Setting",),
            {
                "repository": item.repository, "path": item.path, "name": item.name, "qualname": item.name, "kind": "setting",
                "start_line": item.line, "end_line": item.line, "summary": f"= {item.value}",
            },
        )
        for item in found
    ]  # fmt: skip


def _normalize_key(text: str) -> str:
    return _KEY_SEPARATORS.sub("", text).lower()


def iterate_constants(repository: str, path: str, text: str, wanted: set[str] | None) -> Iterator[Constant]:
    """Yield the names of one file that are set to literals and share a term with `wanted`, directly or in a comment; None for all names."""
    lines = text.split("\n")
    text = _PROSE.sub(lambda prose: _INK.sub(" ", prose[0]), text)
    position, line = 0, 1
    enclosing: list[tuple[int, str]] = []
    for start, name, written, is_partial in sorted(_iterate_assignments(text)):
        before, line = line, line + text.count("\n", position, start)
        position = start
        value = written.strip()
        indent = start - text.rfind("\n", 0, start) - 1
        least = min((_indent(one) for one in lines[before : line - 1] if one.strip()), default=indent)
        enclosing = [one for one in enclosing if one[0] < min(indent, least)]
        outer = ".".join(part for _, part in enclosing)
        if value.endswith(("(", "{", "[")):
            enclosing.append((indent, name))
            if value in ("(", "{", "[") or not _LITERAL.match(value):
                value = _read_first_argument(value, lines[line] if line < len(lines) else "")
        fallback = None if _LITERAL.match(value) else _FALLBACK.match(value)
        value = fallback["value"] if fallback else value
        if not _LITERAL.match(value):
            continue
        trailing = _TRAILING_COMMENT.search(value)
        bare = (value[: trailing.start()] if trailing else value).rstrip().rstrip(";")
        bare = _first_value(bare) if is_partial else bare
        if field := _FIELD.match(bare) or _OPTION.match(bare):
            bare = _first_value(field["value"]).strip()
        said = " ".join([*_comment_lines_above(lines, line - 1), trailing["text"] if trailing else ""]).strip()
        if wanted is None or wanted.intersection(terms(f"{name} {said}")):
            yield Constant(repository, path, line, name, bare[:_MAX_VALUE_CHARACTERS], said, outer)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _read_first_argument(opened: str, following: str) -> str:
    """Return a call that a line opens, closed behind the literal on the line after it; the opened text for others."""
    argument = following.strip()
    return f"{opened}{argument}" if opened.endswith("(") and _LITERAL.match(argument) else opened


def _iterate_assignments(text: str) -> Iterator[tuple[int, str, str, bool]]:
    """Yield (offset, name, text after the name, whether the value ends before the end of that text)."""
    for match in _ASSIGNED.finditer(text):
        inner = _SET_BY_NAME.search(match["value"])
        if inner and not _DOTTED.fullmatch(match["value"], 0, inner.start()):
            inner = None
        value, is_partial = (inner["value"], True) if inner else (match["value"], bool(match["indent"]))
        yield match.start("name"), match["name"], value, is_partial
    for match in _SET_BY_NAME.finditer(text):
        yield match.start(), match["name"] or match["key"] or match["macro"] or match["variable"], match["value"], True
    for match in _KEY_FALLBACK.finditer(text):
        yield match.start("name"), match["name"], match["value"], True
    for signature in _SIGNATURE.finditer(text):
        for match in _iterate_parameters(signature["parameters"]):
            yield signature.start("parameters") + match.start("name"), match["name"], match["value"], True


def _iterate_parameters(parameters: str) -> Iterator[re.Match[str]]:
    """Yield the parameters of a signature that have a default."""
    position = 0
    while match := _PARAMETER.search(parameters, position):
        yield match
        position = match.start("value") + len(_first_value(match["value"]))


def _comment_lines_above(lines: Sequence[str], number: int) -> list[str]:
    found: list[str] = []
    while number > 0 and len(found) < _COMMENT_LINES and (match := _COMMENT.match(lines[number - 1])):
        found.insert(0, match["text"])
        number -= 1
    return found


def rank_constants(found: Iterable[Constant], wanted: Sequence[str]) -> list[Constant]:
    """Rank constants by the wanted terms in their names, then in comments and paths; rare terms count more."""
    known = [(item, set(terms(item.name)), set(terms(item.comment)), set(terms(item.path))) for item in found]
    spread = Counter(term for _, name, comment, _ in known for term in name | comment)
    weights = {term: math.log(1 + len(known) / (1 + spread[term])) for term in set(wanted) if spread[term]}
    scored = []
    for item, name, comment, path in known:
        said = {
            term: 1.0 if term in name else _COMMENT_WEIGHT if term in comment else _PATH_WEIGHT * (term in path)
            for term in weights
        }
        covered = sum(weights[term] * share for term, share in said.items()) / (sum(weights.values()) or 1.0)
        short = 1 / (1 + 0.1 * len(name - set(wanted)))  # Prefer names with few other terms.
        if len((name | comment) & set(wanted)) >= _MIN_COVERED_SHARE * len(set(wanted)):
            scored.append((covered * short * _weigh(item), item))
    scored.sort(key=lambda pair: (-pair[0], pair[1].path, pair[1].line))
    return [
        Constant(one.repository, one.path, one.line, one.name, one.value, one.comment, one.outer, round(score, 4))
        for score, one in scored
    ]


def _weigh(item: Constant) -> float:
    """Weigh names in capitals, constants by convention, above others, and values above empty ones."""
    said = _EMPTY_WEIGHT if item.value.lower() in _EMPTY else 1.0
    return said * (1.0 if item.name.isupper() else _LOWER_CASE_WEIGHT)


def _first_value(value: str) -> str:
    """Return the first of the values on a line: the text before a comma outside brackets and quotes."""
    depth, quote = 0, ""
    for at, sign in enumerate(value):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if depth < 0:
                return value[:at]
        elif sign == "," and depth == 0:
            return value[:at]
    return value
