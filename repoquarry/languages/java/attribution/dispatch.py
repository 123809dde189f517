"""What calls may reach beside the method that they name: overriding methods of live classes, functions that are passed."""

from __future__ import annotations

from collections import defaultdict

from repoquarry.languages.java.attribution.classes import Program
from repoquarry.languages.java.attribution.elements import ClassInfo, Method
from repoquarry.languages.java.attribution.findings import Findings

#: a call that may reach more methods than this is left at the one that it names
MOST = 64


def add_possible(program: Program, findings: Findings) -> None:
    """Overriding methods in classes of which instances are made somewhere."""
    below: dict[ClassInfo, list[ClassInfo]] = defaultdict(list)
    for cls in program.declared.classes:
        if cls in findings.live:
            for above, _ in program.line(cls):
                below[above].append(cls)
    known: dict[tuple[Method, ClassInfo], list[int]] = {}
    for caller, method, receiver, line in findings.virtual:
        key = method, receiver
        if key not in known:
            known[key] = _overriding(program, method, below.get(receiver, []))
        if 0 < len(known[key]) <= MOST:
            findings.call(caller, known[key], line, "possible")


def _overriding(program: Program, method: Method, classes: list[ClassInfo]) -> list[int]:
    """Symbols of what the classes have for a method, the method itself left out."""
    found: set[int] = set()
    for cls in classes:
        if program.declared.is_stub(cls):
            continue
        mapping = next((given for above, given in program.line(cls) if above is method.cls), None)
        if mapping is None:
            continue
        signature = program.signature(method, mapping)
        for one, given in program.members(cls, method.name):
            if one is method or len(one.node[3] or ()) != len(method.node[3] or ()):
                continue
            if program.signature(one, given) == signature:
                found.add(one.symbol)
                break
    return sorted(found - {method.symbol})


def add_callbacks(findings: Findings) -> None:
    """Functions that are passed to a parameter, where the parameter is called."""
    for caller, parameter, line in findings.received:
        targets = findings.passed.get(parameter)
        if targets and len(targets) <= MOST:
            findings.call(caller, sorted(targets), line, "callback")
