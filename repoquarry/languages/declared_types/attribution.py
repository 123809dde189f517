"""Attribution of a whole program: links the declarations of all files, evaluates all bodies, and collects the edges."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.languages.declared_types.attribution_log import AttributionLog
from repoquarry.languages.declared_types.declaration_edges import DeclarationEdges, import_sites
from repoquarry.languages.declared_types.dialect import Dialect
from repoquarry.languages.declared_types.evaluator import Evaluator
from repoquarry.languages.declared_types.linker import link
from repoquarry.languages.declared_types.lowered_tree import LoweredFile, decode_file
from repoquarry.languages.declared_types.name_resolver import NameResolver
from repoquarry.languages.declared_types.program import Program
from repoquarry.languages.extraction import raise_recursion_limit
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import AttributionResult, ModuleMap

_ROUNDS = 3
"""Rounds of learning: types pass through as many calls, stores and returns, and through more where callers come after callees."""
_MAX_DEPTH = 20_000
"""Frames of Python functions: expressions may nest some hundred levels deep, each of which takes some ten frames."""


def attribute_lowered(files: Sequence[FileFacts], modules: ModuleMap, language: type[Dialect]) -> AttributionResult:
    """Return the findings of one program. Files whose paths begin with a slash are stubs."""
    with raise_recursion_limit(_MAX_DEPTH):
        lowered = [decode_file(facts.own) for facts in files]
        program = Program(files, language(files, modules, [one.condition for one in lowered]))
        log = AttributionLog()
        for unit, one in enumerate(lowered):
            program.add(unit, one)
        names = NameResolver(program)
        link(program, names)
        evaluator = Evaluator(names, log)
        _learn(evaluator, lowered)
        for symbol in list(program.functions):
            if symbol.declaration.body is not None and not program.is_stub(symbol):
                evaluator.run_body(symbol)
        for cls in list(program.classes):
            if not program.is_stub(cls):
                evaluator.run_fields(cls)
        for unit, one in enumerate(lowered):
            if not files[unit].path.startswith("/"):
                evaluator.run_file(unit, one)
        DeclarationEdges(names, log).add()
        log.result.imports += import_sites(files, modules, program.starts)
    return log.result


def _learn(evaluator: Evaluator, lowered: Sequence[LoweredFile]) -> None:
    """Run all bodies for the types that arguments, stored and returned values show, where the language declares few."""
    names = evaluator.names
    program = names.program
    functions, classes = len(program.functions), len(program.classes)
    for number in range(1, _ROUNDS + 1) if names.dialect.learns_types else ():
        names.round = number
        for symbol in program.functions[:functions]:
            if symbol.round < number and not program.is_stub(symbol):
                symbol.round = number
                names.run_quietly(symbol)
        with evaluator.log.mute():
            for cls in program.classes[:classes]:
                if not program.is_stub(cls):
                    evaluator.run_fields(cls)
            for unit, one in enumerate(lowered):
                if not program.files[unit].path.startswith("/"):
                    evaluator.run_file(unit, one)
        # Local declarations are made again by each run.
        del program.functions[functions:], program.classes[classes:]
    names.round = 0
