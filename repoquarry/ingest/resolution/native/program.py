"""The facts of a repository as the kernel's input."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from repoquarry.ingest.facts import Definition, FileFacts
from repoquarry.ingest.resolution.model import Budget
from repoquarry.ingest.resolution.modules import Modules
from repoquarry.ingest.resolution.native import abi
from repoquarry.ingest.resolution.native.extras import Extras
from repoquarry.ingest.resolution.native.library import KernelError
from repoquarry.ingest.resolution.native.tables import tables
from repoquarry.ingest.resolution.rules import RULES, shown

#: flags of definitions, as `definition_flag` in `kernel/program/program.h`
_METHOD, _DECORATED, _WRAPS, _DATA_CLASS, _SPECIAL, _NESTED, _TEST_NAME = (1 << bit for bit in range(7))
#: flags of files, as `unit_flag` there
_PACKAGE, _SCRIPT = 1, 2
#: cases of letters, as in `kernel/semantics/outside_world.cpp`
_UPPER, _LOWER, _TITLE = 1, 2, 4

_WRAPPERS = {"wraps"}
_DATA_CLASSES = {"dataclass", "define", "frozen", "mutable", "s", "attrs", "attributes"}
_PLAIN_DECORATORS = {"staticmethod", "classmethod", "abstractmethod", "overload"}


class ProgramInput:
    """Input for the files of a repository, sorted by path. Keep it until the kernel has returned.

    Raises: KernelError.
    """

    def __init__(self, files: Sequence[FileFacts], modules: Modules, budget: Budget) -> None:
        self.files = files
        self.modules = modules
        self._block = abi.Block()
        self.variables = list(accumulate((len(facts.graph.first) >> 2 for facts in files), initial=0))
        self.definitions = list(accumulate((len(facts.definitions) for facts in files), initial=0))
        self.extras = self._read_extras()
        self.exports: list[tuple[int, str]] = []
        """(file, name that it offers)."""
        self.input = abi.Input(version=abi.VERSION)
        self._write_units()
        self._write_definitions()
        self._write_modules()
        self._write_names()
        self._write_limits(budget)

    def _read_extras(self) -> Extras:
        try:
            return Extras(self.files, self.variables, self.definitions)
        except (IndexError, TypeError, ValueError) as exc:
            raise KernelError(f"the facts of a file are damaged: {exc}") from exc

    def _write_units(self) -> None:
        block, units = self._block, []
        letters: set[str] = set()
        for facts in self.files:
            graph = facts.graph
            arrays = (graph.code, graph.first, graph.roots, graph.scopes, graph.functions)
            units.append(abi.Unit(*map(block.raw, arrays), block.texts(graph.symbols)))
            for symbol in graph.symbols:
                if not symbol.isascii():
                    letters.update(symbol)
        others = sorted(letter for letter in letters if not letter.isascii())
        self.input.units, self.input.unit_count = block.units(units), len(units)
        self.input.letters, self.input.letter_cases = block.texts(others), block.ints([_case(one) for one in others])

    def _write_definitions(self) -> None:
        rows: list[int] = []
        for facts, base in zip(self.files, self.definitions, strict=False):
            local = {definition.key: base + at for at, definition in enumerate(facts.definitions)}
            for one in facts.definitions:
                rows += (local.get(one.parent, -1), _flags(one), one.name_line)
        names = [definition.name for facts in self.files for definition in facts.definitions]
        self.input.definitions = self._block.ints(rows)
        self.input.definition_counts = self._block.ints([len(facts.definitions) for facts in self.files])
        self.input.definition_names = self._block.texts(names)
        paths = [definition.qualname for facts in self.files for definition in facts.definitions]
        self.input.definition_paths = self._block.texts(paths)

    def _write_modules(self) -> None:
        block, modules = self._block, self.modules
        folders = [facts.path.rpartition("/")[0] for facts in self.files]
        flags = [
            _PACKAGE * facts.is_package + _SCRIPT * (folder not in modules.packages)
            for facts, folder in zip(self.files, folders, strict=True)
        ]
        namespaces = sorted(modules.folders)
        self.input.unit_flags = block.ints(flags)
        self.input.unit_folders = block.texts(folders)
        self.input.unit_names = block.texts([info.name for info in modules.infos])
        self.input.unit_roots = block.texts([info.root for info in modules.infos])
        self.input.roots = block.texts(modules.roots)
        self.input.module_paths = block.texts(list(modules.importable))
        self.input.module_places = block.ints(list(modules.importable.values()))
        self.input.namespaces = block.texts(namespaces)

    def _write_names(self) -> None:
        block = self._block
        listing = [(unit, facts.exports) for unit, facts in enumerate(self.files) if facts.exports is not None]
        self.input.exports_of = block.ints([unit for unit, _ in listing])
        self.input.exports_from = block.ints(list(accumulate((len(names) for _, names in listing), initial=0)))
        self.input.exports = block.texts([name for _, names in listing for name in names])
        imports = [(unit, one) for unit, facts in enumerate(self.files) for one in facts.imports]
        self.input.import_rows = block.ints([number for unit, one in imports for number in (unit, one.level)])
        self.input.import_modules = block.texts([one.module for _, one in imports])
        self.input.import_names = block.texts([one.name for _, one in imports])
        self.exports = [(unit, name) for unit, facts in enumerate(self.files) for name in _offered(facts)]
        self.input.export_rows = block.ints([unit for unit, _ in self.exports])
        self.input.export_names = block.texts([name for _, name in self.exports])
        self.input.extra_flows = block.ints(self.extras.rows)
        self.input.injected = block.ints(self.extras.injected)
        self.input.tables = block.texts([text for table in tables() for text in table])
        self.input.table_sizes = block.ints([len(table) for table in tables()])

    def _write_limits(self, budget: Budget) -> None:
        self.input.rules = self._block.texts([text for rule in RULES for text in (rule, shown(rule))])
        self.input.rule_confidence = self._block.doubles([share for shares in RULES.values() for share in shares])
        self.input.rule_confidences = sum(map(len, RULES.values()))
        self.input.steps = budget.steps
        self.input.targets_per_site = budget.targets_per_site
        self.input.objects_per_variable = budget.objects_per_variable
        self.input.memory_bytes = budget.memory_bytes
        self.input.milliseconds = budget.milliseconds


def _flags(definition: Definition) -> int:
    written = definition.decorators
    flags = _METHOD * (definition.kind == "method") + _NESTED * bool(definition.parent)
    if definition.name.startswith("Test"):
        flags |= _TEST_NAME
    if written:
        names = {decorator.name for decorator in written}
        flags |= (
            _DECORATED
            | _WRAPS * (not names.isdisjoint(_WRAPPERS))
            | _DATA_CLASS * (not names.isdisjoint(_DATA_CLASSES))
        )
        flags |= _SPECIAL * (not names <= _PLAIN_DECORATORS)
    return flags


def _offered(facts: FileFacts) -> Sequence[str]:
    """The names that a module offers: by `__all__`, or by importing them into a package."""
    if facts.exports is not None:
        return facts.exports
    if not facts.is_package:
        return ()
    return [one.alias or one.name for one in facts.imports if one.how == "from" and one.at_module_level]


def _case(letter: str) -> int:
    upper = letter.isupper()
    return _UPPER * upper | _LOWER * letter.islower() | _TITLE * (letter.istitle() and not upper)
