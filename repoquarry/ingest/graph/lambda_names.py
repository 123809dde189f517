"""Display names of lambdas, by the parameters that receive them: `<lambda1: key>`; ids and qualified names have the number only."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from repoquarry.graphstore.model.graph_tables import Cell
from repoquarry.ingest.graph.outline import OutlineRows
from repoquarry.ingest.resolution import Resolution
from repoquarry.ingest.resolution.model import CallTable
from repoquarry.languages.facts import Definition, FileFacts, LambdaArgument
from repoquarry.languages.source_text import split_parameters

_CONSTRUCTORS = ("__init__", "__new__", "constructor")
_RECEIVERS = ("self", "cls", "this")
_IGNORED = re.compile(r"=>|->|@[\w.]+(\([^()]*\))?")
"""Arrows, whose signs look like brackets, and annotations."""
_WORD = re.compile(r"[^\W\d][\w$]*")
_VALUE = re.compile(r"\??[:=]")
"""Begin of a type or default value."""


def name_functions(files: Sequence[FileFacts], resolution: Resolution, rows: OutlineRows) -> list[Cell]:
    """Return the names of all functions: those of lambdas state the parameter, where the call's targets agree about it."""
    found: dict[tuple[str, str], str] = {}
    first = {path: start for path, start, _ in resolution.runs()}
    by_path = {facts.path: facts for facts in files if facts.path in first}
    sites: dict[int, Mapping[int, list[int]]] = {}
    for facts in by_path.values():
        numbers = {one.key: number for number, one in enumerate(facts.definitions, first[facts.path] + 1)}
        for argument in facts.lambdas:
            own = facts.definitions[argument.definition]
            caller = numbers.get(own.parent, first[facts.path])
            if caller not in sites:
                sites[caller] = _callees_by_line(resolution.calls, caller)
            callees = [
                (by_path[symbol.path].definitions[callee - first[symbol.path] - 1], symbol.key)
                for callee in sites[caller].get(argument.line, ())
                for symbol in [resolution.symbols[callee]]
                if symbol.key and symbol.path in by_path
            ]
            names = {argument.keyword} if argument.keyword else set(_parameters(argument, callees))
            if len(names) == 1 and (name := names.pop()):
                found[facts.path, own.key] = f"{own.name[:-1]}: {name}>"
    return [found.get(key, name) for key, name in zip(rows.keys, rows.columns["name"], strict=True)]


def _callees_by_line(calls: CallTable, caller: int) -> Mapping[int, list[int]]:
    """Map the lines of a caller to the definitions that they call."""
    found: dict[int, list[int]] = defaultdict(list)
    first, end = calls.callers.searchsorted([caller, caller + 1]).tolist()
    for edge in range(first, end):
        if (callee := int(calls.callees[edge])) >= 0:
            for line in calls.lines[calls.starts[edge] : calls.starts[edge + 1]].tolist():
                found[line].append(callee)
    return found


def _parameters(argument: LambdaArgument, callees: Sequence[tuple[Definition, str]]) -> Iterator[str]:
    """Yield the name of the parameter in each callee of the written name; empty for patterns and missing parameters."""
    for callee, key in callees:
        constructed = callee.name in _CONSTRUCTORS and key.split(".")[-2:-1] == [argument.callee]
        if callee.kind != "class" and (callee.name == argument.callee or constructed):
            names = parse_parameters(callee.signature)
            position = argument.position + (names[:1] != [] and names[0] in _RECEIVERS)
            if position >= len(names) > 0 and names[-1].startswith("*"):
                position = len(names) - 1
            yield names[position].lstrip("*") if position < len(names) else ""


def parse_parameters(signature: str) -> list[str]:
    """Return the names of the positional parameters as written in any language: `*` before a rest, empty for patterns."""
    text = _IGNORED.sub("", signature)
    found: list[str] = []
    for part in split_parameters(text) if "(" in text else ():
        if part == "*" or not part:
            break
        if part == "/":
            continue
        head = _VALUE.split(part, maxsplit=1)[0]
        rest = "*" if "..." in head or part.startswith("*") else ""
        words = _WORD.findall(head)
        found.append(rest + words[-1] if words and head[0] not in "{[" else "")
        if rest and part.startswith("*"):
            break
    return found
