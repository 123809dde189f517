"""Definitions that are named in text and loaded by it: plugin tables, settings, entry points; and settings, by their keys.

`load("pkg.module.Class")` gives the class where `load` is known to load, or is a function of the repository that takes the text apart for
`import_module` and hands back what it finds there. Each call is resolved by its own argument.
"""

from __future__ import annotations

from collections.abc import Iterator

from repoquarry.ingest.resolution.model import SolverBudget
from repoquarry.languages import constraints as op
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.calls.arguments import Arguments
from tests.oracle.resolver.outside.command_lines import CommandLines
from tests.oracle.resolver.program import Program, Unit

#: outside functions that give what their first argument names
_LOADERS = (
    "django.utils.module_loading.import_string",
    "werkzeug.utils.import_string",
    "scrapy.utils.misc.load_object",
    "celery.utils.imports.symbol_by_name",
    "kombu.utils.imports.symbol_by_name",
    "pkgutil.resolve_name",
    "pydoc.locate",
    "hydra.utils.get_class",
)
_IMPORTING = frozenset({"import_module", "__import__"})
#: a loader may leave the work to a function that leaves it to another, and so on
_DEEPEST_LOADER = 3
#: values are followed back through so many variables of a function
_MOST_VARIABLES = 300
#: operations by which a value comes of another -> where their operands stand
_DERIVING = {
    op.COPY: (2,),
    op.ATTR: (2,),
    op.ITEM: (2,),
    op.SLICE: (2,),
    op.UNPACK: (2,),
    op.EACH: (2,),
    op.OPER: (3, 4),
    op.NARROW: (2,),
    op.DECLARED: (4,),
}


class Loading(CommandLines):
    """Adds the loading of what is named by text."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        for name in _LOADERS:
            self.behaviours[name] = self._load_first
        self._loaders: dict[int, int] = {}
        """Function -> the variable of the parameter that names what comes back."""
        self._settings: set[int] = set()
        """Classes of which a method reads all names of a module: `getattr(module, name) for name in dir(module)`."""
        self._settings_modules: list[int] = []
        self._settings_read: list[tuple[str, int]] = []
        """(key, target) of every read of a setting so far"""
        self.behaviours["builtins.dir"] = self._dir

    def find_loaders(self) -> None:
        """Finds the functions that take a text apart for `import_module` and give back what they find."""
        for unit in self.program.units:
            if {"dir", "getattr"}.issubset(unit.symbols):
                self._find_settings(unit)
        importing, loading = set(_IMPORTING), set[str]()
        for _ in range(_DEEPEST_LOADER):
            known = len(importing) + len(loading)
            for unit in self.program.units:
                if not (importing | loading).isdisjoint(unit.symbols):
                    self._find_in(unit, importing, loading)
            if len(importing) + len(loading) == known:
                break

    def _find_settings(self, unit: Unit) -> None:
        called: dict[int, set[str]] = {}
        for offset in unit.roots:
            if unit.code[offset] == op.CALL and unit.code[offset + 7] >= 0 and unit.code[offset + 5] >= 0:
                called.setdefault(unit.code[offset + 5], set()).add(unit.symbols[unit.code[offset + 7]])
        for owner, names in called.items():
            function = self.program.functions.get(unit.definitions + owner)
            if function is not None and function.owner >= 0 and {"dir", "getattr"} <= names:
                self._settings.add(function.owner)

    def _find_in(self, unit: Unit, importing: set[str], loading: set[str]) -> None:
        calls: dict[int, list[int]] = {}
        for offset in unit.roots:
            if unit.code[offset] == op.CALL and unit.code[offset + 7] >= 0 and unit.code[offset + 5] >= 0:
                name = unit.symbols[unit.code[offset + 7]]
                if name in importing or name in loading or name == "getattr":
                    calls.setdefault(unit.definitions + unit.code[offset + 5], []).append(offset)
        for number, offsets in calls.items():
            function = self.program.functions.get(number)
            for _, variable, kind in function.parameters if function is not None else ():
                if kind in (op.PLAIN, op.POSITION_ONLY) and number not in self._loaders:
                    self._note_loader(unit, number, variable, offsets, importing, loading)

    def _note_loader(
        self, unit: Unit, number: int, parameter: int, calls: list[int], importing: set[str], loading: set[str]
    ) -> None:
        """Notes a function whose parameter goes, in parts, into an import and the name looked up in what is imported."""
        imports = names = False
        for offset in calls:
            called = unit.symbols[unit.code[offset + 7]]
            comes = [self._comes_of(unit, variable, parameter) for variable in _positional(unit, offset)]
            imports |= called != "getattr" and any(comes)
            names |= any(comes[1:]) if called == "getattr" else called in loading or sum(comes) > 1
        name = self.program.definitions[number].name
        result = self.program.functions[number].result - unit.variables
        if imports and self._comes_of(unit, result, parameter):
            if names:
                self._loaders[number] = parameter
                loading.add(name)
            else:
                importing.add(name)

    @staticmethod
    def _comes_of(unit: Unit, variable: int, parameter: int) -> bool:
        """Whether a value is made of a parameter's, by whatever operations and calls of the same function."""
        code, pending, seen = unit.code, [variable], set[int]()
        while pending and len(seen) < _MOST_VARIABLES:
            variable = pending.pop()
            if unit.variables + variable == parameter:
                return True
            offset = unit.first[variable] if variable not in seen else -1
            seen.add(variable)
            while offset >= 0:
                pending += [code[offset + at] for at in _DERIVING.get(code[offset], ())]
                if code[offset] == op.CALL:
                    pending += [code[offset + 3], *_positional(unit, offset)]
                elif code[offset] == op.CONTAINER:
                    pending += code[offset + 5 : offset + 4 + 2 * code[offset + 3] : 2]
                offset = code[offset + 1]
        return False

    # ---- calls

    def is_loader(self, place: int) -> bool:
        if place < 0:
            return False
        unit, offset = self.unit_at(place)
        owner = unit.code[offset + 5] if unit.code[offset] == op.CALL else -1
        return owner >= 0 and unit.definitions + owner in self._loaders

    def invoke(self, place: int, definition: int, receiver: int, arguments: Arguments, target: int, how: str) -> None:
        super().invoke(place, definition, receiver, arguments, target, how)
        if arguments.positional and receiver >= 0 and self._is_settings(receiver):
            self.listen(arguments.positional[0], self._on_setting, target)
        parameter = self._loaders.get(definition, -1)
        if parameter >= 0 and target != self.ignored:
            skip = 1 if receiver >= 0 else 0
            given = self._passed(self.program.functions[definition], skip, arguments).get(parameter, -1)
            if given >= 0:
                self.listen(given, self._on_loaded, target)

    # ---- settings

    def _is_settings(self, held: int) -> bool:
        """Whether an object keeps what a module of settings binds, by name."""
        if not self._settings or self.objects.kind[held] != ob.INSTANCE:
            return False
        return not self._settings.isdisjoint(self.ancestors(self.objects.a[held]))

    def _dir(self, place: int, arguments: Arguments, target: int) -> None:
        if place < 0:
            return
        unit, offset = self.unit_at(place)
        if unit.code[offset] != op.CALL or unit.code[offset + 5] < 0:
            return
        function = self.program.functions.get(unit.definitions + unit.code[offset + 5])
        if function is not None and function.owner in self._settings and arguments.positional:
            self.listen(arguments.positional[0], self._on_settings_module)

    def _on_settings_module(self, held: int) -> None:
        module = self.objects.a[held]
        if self.objects.kind[held] == ob.MODULE and module not in self._settings_modules:
            self._settings_modules.append(module)
            for key, target in list(self._settings_read):
                self._read_setting(module, key, target)

    def _on_item(self, held: int, target: int, key: int) -> None:
        super()._on_item(held, target, key)
        if key >= 0 and self._is_settings(held):
            self._note_setting(self.name_of(key), target)

    def _on_setting(self, held: int, target: int) -> None:
        if self.objects.is_key(held):
            self._note_setting(self.objects.name[held], target)

    def _note_setting(self, key: str, target: int) -> None:
        """What modules of settings bind to the name reaches who asks for it, by item or by a method."""
        key = key.strip("'\"")
        if key.isascii() and key.isupper():
            self._settings_read.append((key, target))
            for module in self._settings_modules:
                self._read_setting(module, key, target)

    def _read_setting(self, module: int, key: str, target: int) -> None:
        if (variable := self.module_variable(module, key)) is not None:
            self.flow(variable, target)

    def _load_first(self, place: int, arguments: Arguments, target: int) -> None:
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_loaded, target)

    def _on_loaded(self, held: int, target: int) -> None:
        """The text names a definition of the repository, or something outside; classes that are given as such are handed back."""
        if self.objects.kind[held] in (ob.CLASS, ob.FUNCTION):
            self.put(target, held)
        elif self.objects.is_key(held):
            module, name = self.dotted(self.objects.name[held])
            if module is not None and name:
                self.module_attribute(self.module_object(module), name, target)
            elif module is not None:
                self.put(target, self.module_object(module))


def _positional(unit: Unit, offset: int) -> Iterator[int]:
    """The file's own numbers of the positional arguments of a CALL."""
    code = unit.code
    for at in range(offset + 9, offset + 9 + 2 * code[offset + 8], 2):
        if code[at] == op.POSITIONAL:
            yield code[at + 1]
