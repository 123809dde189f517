"""Input of the native points-to solver (the kernel): facts of files and rules of languages as arrays; loads and calls the library."""

from __future__ import annotations

import ctypes
import dataclasses
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path

from pathspec import GitIgnoreSpec

from repoquarry.ingest.errors import ResolutionFailedError
from repoquarry.ingest.resolution.model import SolverBudget
from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.family import ExtraFlows, LanguageFamily, ModuleMap, PointsToConfig
from repoquarry.languages.registry import load
from repoquarry.native import load_library, resolution_abi


class KernelError(ResolutionFailedError):
    """The kernel failed: its library is missing or of another version, or memory or time ran out."""


_MEMORY_FAILURE = 3
"""Value of `Failure::memory` in `native/base/arena.h`."""


@lru_cache(1)
def library() -> ctypes.CDLL:
    """Load the library.

    Raises: KernelError.
    """
    folder, what = Path(__file__).parents[2] / "native" / "resolution", "the resolver's kernel"
    found = load_library(folder, what, "repoquarry_kernel_version", resolution_abi.VERSION, KernelError)
    found.repoquarry_error.restype = ctypes.c_char_p
    return found


def resolved(given: resolution_abi.KernelInput) -> resolution_abi.KernelResult:
    """Run the kernel; its working memory, many times the size of the result, is freed on return.

    Raises: KernelError.
    """
    kernel, output, result = library(), resolution_abi.KernelOutput(), ctypes.c_void_p()
    failure = kernel.repoquarry_resolve(ctypes.byref(given), ctypes.byref(output), ctypes.byref(result))
    if failure:
        remedy = "; raise ingest.resolver_memory_bytes" if failure == _MEMORY_FAILURE else ""
        raise KernelError(kernel.repoquarry_error(failure).decode() + remedy)
    try:
        return resolution_abi.KernelResult.of(output)
    finally:
        kernel.repoquarry_free(result)


#: in the order of `LanguageProtocol` in `kernel/program/language_tables.h`
PROTOCOLS = (
    "iterate", "iterate_later", "next", "next_later", "get_item", "set_item", "call", "get", "create", "initialise", "initialised",
    "subclassed", "await", "enter", "enter_later", "exit", "exit_later", "class_of", "resolution_order", "function", "receiver", "metaclass",
    "setter", "getter", "deleter", "property", "builtins", "no_value", "text", "wraps", "self_type", "type_variable", "object",
    "send", "copy", "set_attribute", "modulo", "field_getter", "key", "bound", "set", "remove",
    "delete_attribute", "field_setter", "field_deleter", "reversed", "member_value", "attribute_by_name", "missing", "arguments",
    "keyword_arguments", "prototype", "whole", "by_default", "interface", "generic_base", "result_type", "made_type", "guarded_first",
    "type_parameters", "type_defaults", "result_value", "missing_attribute", "next_value",
    "special_prefix", "in_place_prefix", "reflected_prefix", "hidden_prefix",
)  # fmt: skip

#: in the order of `TableId` there, without the first one, which holds the protocols
TABLES = (
    "either", "first", "class_types", "containers", "untyped", "lowered", "type_modules", "plain_types", "transparent", "properties",
    "property_endings", "text_types", "text_methods", "elements", "results", "builtins", "builtin_types", "builtin_attributes",
    "container_types", "mappings", "behaviours", "container_methods", "comparisons", "give_the_left",
    "leave_elements", "each_methods", "unpack_methods", "enter_methods", "item_methods", "empty_bases", "plain_bases", "field_bases",
    "descriptor_bases", "enumerations", "empty_types", "protocol_bases", "protocol_names", "attribute_setters", "asking", "importing",
    "standard_modules", "test_bases", "frameworks", "function_methods", "type_members", "callback_types", "asked_instead", "reflected",
    "parameter_types", "models", "model_names", "interface_members",
)  # fmt: skip


def encode_tables(method: PointsToConfig) -> list[Sequence[str]]:
    """All tables of a language.

    Raises: ValueError where it names a protocol or a table that the kernel does not know.
    """
    tables = method.tables()
    _refuse_unknown("protocol", method.protocols, PROTOCOLS)
    _refuse_unknown("table", tables, TABLES)
    # a name that no source can contain stands for what the language does not have
    protocols = [method.protocols.get(operation, f"<{operation}>") for operation in PROTOCOLS]
    return [protocols, *(tables.get(name, ()) for name in TABLES)]


def _refuse_unknown(what: str, given: Mapping[str, object], known: Sequence[str]) -> None:
    for name in given:
        if name not in known:
            raise ValueError(f"the kernel knows no {what} {name!r}; known: {', '.join(known)}")


#: flags of definitions, as `definition_flag` in `kernel/program/program.h`
_METHOD, _DECORATED, _WRAPS, _DATA_CLASS, _SPECIAL, _NESTED, _TEST_NAME, _PROPERTY = (1 << bit for bit in range(8))
#: flags of files, as `unit_flag` there
_PACKAGE, _SCRIPT, _TEST, _EXCLUDED = 1, 2, 4, 8
#: forms of imports, as `ImportForm` in `kernel/report/static_values.h`
IMPORT_FORMS = ("dynamic", "from", "import", "star", "typing")
#: cases of letters, as in `kernel/semantics/external/external_symbols.cpp`
_UPPER, _LOWER, _TITLE = 1, 2, 4
_BEYOND_ASCII = re.compile(r"[^\0-\x7f]")


class ProgramInput:
    """Input for the files of a family, sorted by path. Keep it until the kernel has returned.

    Raises: KernelError.
    """

    def __init__(
        self,
        files: Sequence[FileFacts],
        family: LanguageFamily,
        method: PointsToConfig,
        modules: ModuleMap,
        budget: SolverBudget,
        *,
        own: int,
        placeholders: int = 0,
    ) -> None:
        """Write the input; the first `own` files belong to the repository, and the last `placeholders` are
        excluded ones without content."""
        self.files = files
        self._first_placeholder = len(files) - placeholders
        self.family = family
        self.method = method
        self.modules = modules
        self._block = resolution_abi.ForeignBuffers()
        self.variables = list(accumulate((len(facts.graph.first) >> 2 for facts in files), initial=0))
        self.definitions = list(accumulate((len(facts.definitions) for facts in files), initial=0))
        self.extra_flows = self._find_extra_flows()
        self.exports: list[tuple[int, str]] = []
        """(file, name that it offers)."""
        self.input = resolution_abi.KernelInput(version=resolution_abi.VERSION)
        self._write_units()
        self._write_definitions()
        self._write_modules()
        self._write_names()
        self._write_variables(own)
        self._write_limits(budget)

    def _find_extra_flows(self) -> ExtraFlows:
        try:
            return self.method.extra_flows(self.files, self.variables, self.definitions)
        except (IndexError, TypeError, ValueError) as exc:
            raise KernelError(f"the facts of a file are damaged: {exc}") from exc

    def _write_units(self) -> None:
        block, units = self._block, [facts.graph for facts in self.files]
        letters: set[str] = set()
        for text in (graph.symbols.text for graph in units if not graph.symbols.text.isascii()):
            letters.update(_BEYOND_ASCII.findall(text.decode("utf-8", "surrogatepass")))
        others = sorted(letters)
        mentions = [facts.mentions for facts in self.files]
        self.input.units, self.input.unit_count = block.units(units, mentions), len(units)
        self.input.letters, self.input.letter_cases = block.texts(others), block.ints([_case(one) for one in others])

    def _write_definitions(self) -> None:
        rows: list[int] = []
        for facts, base in zip(self.files, self.definitions, strict=False):
            local = {definition.key: base + at for at, definition in enumerate(facts.definitions)}
            for one in facts.definitions:
                rows += (local.get(one.parent, -1), _flags(one, self.method), one.name_line)
        names = [definition.name for facts in self.files for definition in facts.definitions]
        self.input.definitions = self._block.ints(rows)
        self.input.definition_counts = self._block.ints([len(facts.definitions) for facts in self.files])
        self.input.definition_names = self._block.texts(names)
        paths = [definition.qualname for facts in self.files for definition in facts.definitions]
        self.input.definition_paths = self._block.texts(paths)

    def _write_modules(self) -> None:
        block, modules, search = self._block, self.modules, self.modules.search
        folders = [facts.path.rpartition("/")[0] for facts in self.files]
        flags = [
            _PACKAGE * facts.is_package
            + _SCRIPT * (folder not in search.packages)
            + _TEST * is_test_file(facts)
            + _EXCLUDED * (unit >= self._first_placeholder)
            for unit, (facts, folder) in enumerate(zip(self.files, folders, strict=True))
        ]
        # folders that a search finds first: their numbers are part of the order of objects
        namespaces = [*sorted(search.folders), *sorted(self._other_places(search.folders))]
        self.input.unit_flags = block.ints(flags)
        self.input.unit_folders = block.texts(folders)
        self.input.unit_names = block.texts([info.name for info in modules.infos])
        self.input.unit_roots = block.texts([info.root for info in modules.infos])
        self.input.roots = block.texts(search.roots)
        self._write_last_roots(len(folders))
        self.input.module_paths = block.texts(list(search.importable))
        self.input.module_places = block.ints(list(search.importable.values()))
        self.input.namespaces = block.texts(namespaces)
        self._write_targets({name: len(self.files) + at for at, name in enumerate(namespaces)})

    def _write_last_roots(self, count: int) -> None:
        rows = [*self.modules.search.last_roots, *[()] * (count + 1 - len(self.modules.search.last_roots))]
        numbers = {root: number for number, root in enumerate(dict.fromkeys(root for row in rows for root in row))}
        self.input.last_roots = self._block.texts(list(numbers))
        self.input.last_roots_of = self._block.ints([numbers[root] for row in rows for root in row])
        self.input.last_roots_from = self._block.ints(list(accumulate(map(len, rows), initial=0)))

    def _other_places(self, folders: frozenset[str]) -> set[str]:
        """Folders and packages that imports lead to or that have members."""
        named = {place for place in self.modules.targets.values() if isinstance(place, str)}
        return (named | set(self.modules.members)) - folders

    def _write_targets(self, namespaces: dict[str, int]) -> None:
        """Return the files that specifiers mean; -1 is something outside the repository."""
        rows: list[int] = []
        for (unit, _, level), place in self.modules.targets.items():
            number = -1 if place is None else namespaces[place] if isinstance(place, str) else place
            rows += (unit, level, number)
        members = [(namespaces[name], unit) for name, units in sorted(self.modules.members.items()) for unit in units]
        self.input.import_places = self._block.ints(rows)
        self.input.import_specifiers = self._block.texts([specifier for _, specifier, _ in self.modules.targets])
        self.input.members = self._block.ints([number for row in members for number in row])

    def _write_names(self) -> None:
        block = self._block
        listing = [(unit, facts.exports) for unit, facts in enumerate(self.files) if facts.exports is not None]
        self.input.exports_of = block.ints([unit for unit, _ in listing])
        self.input.exports_from = block.ints(list(accumulate((len(names) for _, names in listing), initial=0)))
        self.input.exports = block.texts([name for _, names in listing for name in names])
        imports = [(unit, one) for unit, facts in enumerate(self.files) for one in facts.imports]
        self.input.import_rows = block.ints(
            [number for unit, one in imports for number in (unit, one.level, one.line, IMPORT_FORMS.index(one.how))]
        )
        self.input.import_modules = block.texts([one.module for _, one in imports])
        self.input.import_names = block.texts([one.name for _, one in imports])
        self.input.import_aliases = block.texts([one.alias for _, one in imports])
        self.exports = [
            (unit, name)
            for unit, facts in enumerate(self.files)
            for name in dict.fromkeys((*self.method.offered(facts), *self.modules.offered.get(unit, ())))
        ]
        self.input.export_rows = block.ints([unit for unit, _ in self.exports])
        self.input.export_names = block.texts([name for _, name in self.exports])
        self.input.extra_flows = block.ints(self.extra_flows.rows)
        self.input.injected = block.ints(self.extra_flows.injected)
        tables = encode_tables(self.method)
        self.input.tables = block.texts([text for table in tables for text in table])
        self.input.table_sizes = block.ints([len(table) for table in tables])

    def _write_variables(self, own: int) -> None:
        variables = [(unit, one) for unit, facts in enumerate(self.files) for one in facts.variables]
        rows = (number for unit, one in variables for number in (unit, one.owner, one.line, one.is_received))
        self.input.variables = self._block.ints(list(rows))
        self.input.variable_names = self._block.texts([one.name for _, one in variables])
        self.input.reported_units = own
        self.input.unit_stems = self._block.texts([facts.module_name for facts in self.files])

    def _write_limits(self, budget: SolverBudget) -> None:
        rules, shown = self.family.rules, self.family.shown
        names = self.method.tables().get("model_names", ())
        of_models = [(f"{rule}:{name}", rule, name) for name in names for rule in ("model", "model call")]
        rules = {**rules, **{key: rules[rule] for key, rule, _ in of_models}}
        shown = {**shown, **{key: f"model:{name}" for key, _, name in of_models}}
        self.input.rules = self._block.texts([text for rule in rules for text in (rule, shown.get(rule, rule))])
        self.confidence = dataclasses.replace(self.family, rules=rules).confidence()
        self.input.rule_confidence = self._block.doubles(self.confidence)
        self.input.rule_confidences = len(self.confidence)
        self.input.flags = self.method.features
        self.input.steps = budget.steps
        self.input.targets_per_site = budget.targets_per_site
        self.input.objects_per_variable = budget.objects_per_variable
        self.input.memory_bytes = budget.memory_bytes
        self.input.milliseconds = budget.milliseconds


@cache
def _test_patterns(language: str) -> GitIgnoreSpec:
    tests = load(language).tests
    return GitIgnoreSpec.from_lines((*tests.files, *tests.folders))


def is_test_file(facts: FileFacts) -> bool:
    """Return whether the conventions of its language say that a file has tests."""
    return _test_patterns(facts.language).match_file(facts.path)


def _flags(definition: Definition, method: PointsToConfig) -> int:
    written = definition.decorators
    flags = _METHOD * (definition.kind == "method") + _NESTED * bool(definition.parent)
    flags |= _PROPERTY * (definition.form == "property")
    if method.test_class_prefix and definition.name.startswith(method.test_class_prefix):
        flags |= _TEST_NAME
    if written:
        names = {decorator.name for decorator in written}
        flags |= (
            _DECORATED
            | _WRAPS * (not names.isdisjoint(method.wrappers))
            | _DATA_CLASS * (not names.isdisjoint(method.data_classes))
        )
        flags |= _SPECIAL * (not names <= method.plain_decorators)
    return flags


def _case(letter: str) -> int:
    upper = letter.isupper()
    return _UPPER * upper | _LOWER * letter.islower() | _TITLE * (letter.istitle() and not upper)
