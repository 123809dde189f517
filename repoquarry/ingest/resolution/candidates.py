"""Candidates for unresolved calls of methods: targets that local evidence names, by three rules; they feed nothing back into the solution.

A name alone proves nothing: most unresolved calls of an application leave it. A candidate needs a receiver named like its class, or a name
that is defined once together with other evidence (docs/explanation/call-resolution.md). Java has none: its unresolved calls are external.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import numpy as np

from repoquarry.graphstore.model.call_views import CANDIDATE, CLASS_CANDIDATE, NAMED_CANDIDATE, ONLY_CANDIDATE, OUTSIDE
from repoquarry.ingest.resolution.kernel_input import is_test_file
from repoquarry.ingest.resolution.model import CallEdge, CallTable, Resolution, merge_call_tables, sort_calls
from repoquarry.ingest.resolution.receivers import Call, IsExternal, Receiver, ReceiverReader
from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.source_text import split_parameters

_NAMED_ONLY: Final = "dynamic attribute"
"""Reason of calls on known values, which only a name can contradict."""
_REASONS: Final = frozenset({"unknown receiver", "unknown value", _NAMED_ONLY, OUTSIDE})
"""Reasons of unresolved calls that may have a candidate."""
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_PRIVATE = re.compile(r"#|_(?!_)")


class _Candidate(NamedTuple):
    """A method that an unresolved call may mean."""

    symbol: int
    unit: int
    definition: Definition
    owner: int
    """Symbol of its class."""


@cache
def common_members(language: str) -> frozenset[str]:
    """Return the names of members that types of the language and of widespread libraries have."""
    tables = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return frozenset(tables["python" if language == "python" else "javascript"]["common"].split())


def with_candidates(found: Resolution, files: Sequence[FileFacts]) -> Resolution:
    """Add the candidates of unresolved calls to the calls; the unresolved calls stay."""
    edges = _CandidateFinder(found, files).edges()
    if not edges:
        return found
    calls = found.calls
    pairs = {(edge.caller, edge.callee): edge for edge in edges}
    known = zip(calls.callers.tolist(), calls.callees.tolist(), calls.is_likely.tolist(), strict=True)
    rows = []
    for row, (caller, callee, is_likely) in enumerate(known):
        if (caller, callee) in pairs and not is_likely:
            lines = calls.lines_of(np.array([row]))[1].tolist()
            edge = pairs[caller, callee]
            lines = tuple(sorted((*edge.lines, *lines)))
            pairs[caller, callee] = msgspec.structs.replace(edge, count=len(lines), lines=lines)
            continue
        pairs.pop((caller, callee), None)
        rows.append(row)
    chosen = np.array(rows, dtype=np.int64)
    kept = calls.chosen(chosen, calls.callers[chosen], calls.callees[chosen])
    merged = merge_call_tables([kept, CallTable.of(pairs.values())])
    return msgspec.structs.replace(found, calls=sort_calls(merged, merged.callers, merged.callees))


class _CandidateFinder:
    """Finder of candidates in one program."""

    def __init__(self, found: Resolution, files: Sequence[FileFacts]) -> None:
        self._found, self._files = found, files
        self._starts = list(accumulate((1 + len(facts.definitions) for facts in files), initial=0))

    def edges(self) -> list[CallEdge]:
        """Return the edges from callers to candidates, one for each pair, under the surest rule."""
        sites: dict[tuple[int, int], list[tuple[float, int]]] = defaultdict(list)
        for unit, wanted in self._sites.items():
            reader = ReceiverReader(self._files[unit], self._externals(unit))
            calls: dict[tuple[int, int, str], list[Call]] = defaultdict(list)
            for call in reader.calls({name for _, _, name in wanted}):
                calls[call.owner, call.line, call.name].append(call)
            for place in sorted(wanted.keys() & calls.keys()):
                answers = {self._judge(unit, call, reader.receiver(call), wanted[place]) for call in calls[place]}
                if len(answers) == 1 and (answer := answers.pop()) is not None:
                    symbol, confidence = answer
                    sites[self._starts[unit] + 1 + place[0], symbol].append((confidence, place[1]))
        return [
            CallEdge(caller, callee, len(own), tuple(sorted(line for _, line in own)), CANDIDATE, max(own)[0])
            for (caller, callee), own in sorted(sites.items())
        ]

    # ---- the program

    @cached_property
    def _named(self) -> Mapping[str, list[_Candidate | None]]:
        """Name -> what is defined under it: methods with a body, and None for other functions."""
        found: dict[str, list[_Candidate | None]] = defaultdict(list)
        for unit, facts in enumerate(self._files):
            start, owners = self._starts[unit] + 1, dict[str, int]()
            for symbol, one in enumerate(facts.definitions, start):
                owners[one.key] = symbol
                if one.kind == "class" or one.kind == "lambda":
                    continue
                is_property = one.form == "property" or any(
                    decorator.name == "property" for decorator in one.decorators
                )
                is_method = one.kind == "method" and not is_property and not facts.is_stub
                candidate = _Candidate(symbol, unit, one, owners[one.parent]) if is_method else None
                found[one.name].append(candidate)
        return found

    @cached_property
    def _sites(self) -> Mapping[int, dict[tuple[int, int, str], str]]:
        """File -> (definition, line, name) of the unresolved calls that a method of the program may answer -> reason."""
        found: dict[int, dict[tuple[int, int, str], str]] = defaultdict(dict)
        units = np.repeat(np.arange(len(self._files)), np.diff(self._starts))
        for one in self._found.unresolved:
            if one.reason in _REASONS and any(self._named.get(one.name, ())):
                unit = int(units[one.caller])
                if one.name not in common_members(self._files[unit].language):
                    owner = one.caller - self._starts[unit] - 1
                    found[unit].update(((owner, line, one.name), one.reason) for line in one.lines)
        return found

    @cached_property
    def _called_only_outside(self) -> frozenset[str]:
        """Names whose resolved calls all leave the repository."""
        callees = np.unique(self._found.calls.callees).tolist()
        outside = {self._found.externals[~one].rpartition(".")[2] for one in callees if one < 0}
        inside = {one.name for symbol in callees if symbol >= 0 and (one := self._definition(symbol)) is not None}
        return frozenset(outside - inside)

    @cached_property
    def _called(self) -> frozenset[int]:
        """Definitions of the program that have a caller."""
        return frozenset(np.unique(self._found.calls.callees).tolist())

    @cached_property
    def _heirs(self) -> Mapping[int, list[int]]:
        """Class -> its direct subclasses."""
        found: dict[int, list[int]] = defaultdict(list)
        for edge in self._found.inherits:
            if edge.base >= 0:
                found[edge.base].append(edge.cls)
        return found

    @cached_property
    def _bases(self) -> Mapping[int, list[int]]:
        """Class -> its direct bases in the program."""
        found: dict[int, list[int]] = defaultdict(list)
        for edge in self._found.inherits:
            if edge.base >= 0:
                found[edge.cls].append(edge.base)
        return found

    @cached_property
    def _imported(self) -> frozenset[tuple[int, int]]:
        """(module, imported module) inside the program."""
        return frozenset((edge.source, edge.target) for edge in self._found.imports if edge.target >= 0)

    def _unit(self, symbol: int) -> int:
        return bisect_right(self._starts, symbol) - 1

    def _definition(self, symbol: int) -> Definition | None:
        """Return the definition of a symbol; None for a module."""
        unit = self._unit(symbol)
        at = symbol - self._starts[unit] - 1
        return self._files[unit].definitions[at] if at >= 0 else None

    def _externals(self, unit: int) -> IsExternal:
        """Return a test for the imports of a file that leave the program."""
        start = self._starts[unit]
        names = {
            self._found.externals[~one.target] for one in self._found.imports if one.source == start and one.target < 0
        }
        roots = {name.partition(".")[0] for name in names} | names
        return lambda module, level: level == 0 and (module in roots or module.partition(".")[0] in roots)

    def _names_of(self, classes: Iterable[int]) -> frozenset[str]:
        return frozenset(one.name for symbol in classes if (one := self._definition(symbol)) is not None)

    def _family(self, cls: int, edges: Mapping[int, list[int]]) -> set[int]:
        """Return a class and all that it leads to along some edges."""
        found, waiting = {cls}, [cls]
        while waiting:
            near = set(edges.get(waiting.pop(), ())) - found
            found |= near
            waiting += near
        return found

    def _members(self, cls: int) -> frozenset[str]:
        """Return the names of the methods and attributes of a class and its bases."""
        names = set[str]()
        for symbol in self._family(cls, self._bases):
            unit = self._unit(symbol)
            facts, at = self._files[unit], symbol - self._starts[unit] - 1
            key = facts.definitions[at].key
            names.update(one.name for one in facts.definitions if one.parent == key)
            names.update(one.name for one in facts.variables if one.owner == at)
        return frozenset(names)

    # ---- the rules

    def _judge(self, unit: int, call: Call, receiver: Receiver | None, reason: str) -> tuple[int, float] | None:
        """Return the candidate of a call and its confidence; None without enough evidence."""
        facts = self._files[unit]
        caller = facts.definitions[call.owner].name if call.owner >= 0 else ""
        if receiver is None or receiver.is_imported or caller == call.name or call.name in self._called_only_outside:
            return None
        is_passed_in = receiver.is_result or self._is_passed_in(unit, call.owner, receiver.name)
        receiver = receiver._replace(is_external=receiver.is_external or reason == OUTSIDE, is_result=is_passed_in)
        defined = self._named[call.name]
        fitting = [one for one in defined if one is not None and self._fits(one, facts, receiver)]
        if len(defined) > 1:
            named = [one for one in fitting if _is_named(receiver, self._names_of([one.owner]))]
            rivals = [
                one for one in defined if one is not None and _is_nearly_named(receiver, self._names_of([one.owner]))
            ]
            return (named[0].symbol, CLASS_CANDIDATE) if len(named) == len(rivals) == 1 else None
        if not fitting:
            return None
        only = fitting[0]
        if _is_named(receiver, self._names_of(self._family(only.owner, self._heirs))):
            return only.symbol, NAMED_CANDIDATE
        is_open = reason != _NAMED_ONLY and not receiver.is_external
        return (only.symbol, ONLY_CANDIDATE) if is_open and self._is_near(only, unit, receiver) else None

    def _fits(self, candidate: _Candidate, facts: FileFacts, receiver: Receiver) -> bool:
        """Return whether nothing contradicts a candidate."""
        if (
            candidate.definition.is_abstract
            or self._is_local(candidate.owner)
            or not _accepts(candidate.definition, receiver, facts.language)
        ):
            return False
        if is_test_file(self._files[candidate.unit]) and not is_test_file(facts):
            return False
        relatives = self._family(candidate.owner, self._heirs) | self._family(candidate.owner, self._bases)
        return not receiver.types or bool(receiver.types & self._names_of(relatives))

    def _is_passed_in(self, unit: int, owner: int, name: str) -> bool:
        """Return whether a name is a parameter of a function that only code outside the program calls."""
        if owner < 0 or self._starts[unit] + 1 + owner in self._called:
            return False
        written = split_parameters(self._files[unit].definitions[owner].signature)
        return name in {re.split(r"[:=?\s]", one, maxsplit=1)[0] for one in written}

    def _is_local(self, cls: int) -> bool:
        """Return whether a class is defined inside a function, where other functions rarely get its instances."""
        unit = self._unit(cls)
        parents = {one.key: one for one in self._files[unit].definitions}
        one = self._definition(cls)
        while one is not None and one.kind == "class":
            one = parents.get(one.parent)
        return one is not None

    def _is_near(self, candidate: _Candidate, unit: int, receiver: Receiver) -> bool:
        """Return whether the file knows the candidate, or uses more members of its class."""
        if not receiver.name:
            return False
        is_known = candidate.unit == unit or (self._starts[unit], self._starts[candidate.unit]) in self._imported
        if _PRIVATE.match(candidate.definition.name) or (is_known and not receiver.is_result):
            return True
        others = receiver.members - {candidate.definition.name}
        return bool(others) and others <= self._members(candidate.owner)


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)]


def _is_named(receiver: Receiver, classes: frozenset[str]) -> bool:
    """Return whether a receiver, or its value, names one of the classes; the name alone does not where the value is external."""
    if receiver.values & classes:
        return True
    own = _words(receiver.name)
    return not receiver.is_external and any((words := _words(name)) and own[-len(words) :] == words for name in classes)


def _is_nearly_named(receiver: Receiver, classes: frozenset[str]) -> bool:
    """Return whether a receiver may name one of the classes."""
    last = _words(receiver.name)[-1:]
    return bool(receiver.values & classes) or any(last and _words(name)[-1:] == last for name in classes)


def _accepts(definition: Definition, receiver: Receiver, language: str) -> bool:
    """Return whether a method may be called with the arguments; JavaScript permits fewer than it declares."""
    written = [one for one in split_parameters(definition.signature) if one]
    if language == "python":
        written = written[1:] if all(one.name != "staticmethod" for one in definition.decorators) else written
    if receiver.positional < 0:
        return True
    names = [re.split(r"[:=\s]", one, maxsplit=1)[0] for one in written]
    is_open = any(one.startswith(("*", "...")) for one in names if one != "*")
    keyword_only = names.index("*") if "*" in names else len(names)
    if receiver.positional > keyword_only and not is_open:
        return False
    if language != "python":
        return True
    if not receiver.keywords <= set(names) and not is_open:
        return False
    required = [name for name, text in zip(names, written, strict=True) if "=" not in text and name[0] not in "*/"]
    return len([name for name in required[receiver.positional :] if name not in receiver.keywords]) == 0
