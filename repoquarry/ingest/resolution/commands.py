"""References from tests to commands: `runner.invoke(cli, ["db", "migrate"])` names the group `db` and its command `migrate`.

The words come from lists and texts that are written out, from `parametrize`, and from the calls of a helper that passes its arguments
on. A word names a command of the group before it. Commands that tests define are visible where they are defined.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from repoquarry.ingest.resolution.kernel_input import is_test_file
from repoquarry.ingest.resolution.model import EntryPoint, ReferenceEdge
from repoquarry.languages import constraints as op
from repoquarry.languages.call_reader import CallReader
from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.python.pytest_values import PytestCalls

COMMAND: Final = "command"
"""Kind of entry point of a command, and `how` of the references to it."""
_INVOKE: Final = "invoke"
_PARAMETERS: Final = ("cli", "args")
_DECORATOR = re.compile(r"(?P<group>[\w.]+)\.(?P<kind>command|group|callback)\b(?P<arguments>.*)", re.DOTALL)
_NAME = re.compile(r"""\(\s*["'](?P<first>[\w.:-]+)["']|\bname\s*=\s*["'](?P<named>[\w.:-]+)["']""")
_SUFFIX = re.compile(r"-(?:command|cmd|group|grp)$")
_FREE: Final = frozenset({"click", "typer", "rich_click", "asyncclick", "cloup"})
"""Modules whose decorators make commands that are added to a group elsewhere."""
_REGISTERS: Final = frozenset({"add_command", "add_typer"})
_COPIES: Final = frozenset({"list", "tuple"})
_MAX_WORDS: Final = 12

Words = list[frozenset[str]]
"""Words that may stand at each place of a command line."""


class Command(NamedTuple):
    """A command or group, where `function` is the definition, and `groups` are the names of those that it is registered at."""

    target: int
    names: frozenset[str]
    function: str
    groups: frozenset[str]
    is_group: bool
    scope: str
    """Path, and the function around where it is not at the top of a module; tests see only commands of their own scope there."""


class Invocation(NamedTuple):
    owner: int
    line: int
    app: str
    """Name of the command or group that is invoked, empty if not known."""
    words: Words


def find_command_references(files: Sequence[FileFacts], entry_points: Sequence[EntryPoint]) -> list[ReferenceEdge]:
    """Find references from tests to the commands that they invoke; symbols are numbered as in `Resolution`."""
    entries = {one.target: one for one in entry_points if one.kind == COMMAND}
    readers = {facts.path: InvocationReader(facts) for facts in files if entries and _may_invoke(facts)}
    if not readers:
        return []
    commands = list_commands(files, entries)
    helpers = {path: list(reader.list_helpers()) for path, reader in readers.items()}
    shared = [helper for path, own in helpers.items() if path.rpartition("/")[2] == "conftest.py" for helper in own]
    lines: dict[tuple[int, int], set[int]] = defaultdict(set)
    start = 0
    for facts in files:
        if facts.path in readers or (shared and facts.language == "python" and is_test_file(facts)):
            reader = readers.get(facts.path) or InvocationReader(facts)
            for one in reader.list_invocations([*helpers.get(facts.path, ()), *shared]):
                visible = [command for command in commands if _sees(facts, one.owner, command)]
                for target in match_commands(visible, one.app, one.words):
                    lines[start + 1 + one.owner, target].add(one.line)
        start += 1 + len(facts.definitions)
    return [
        ReferenceEdge(source, target, len(own), tuple(sorted(own)), COMMAND)
        for (source, target), own in sorted(lines.items())
        if source != target
    ]


def _may_invoke(facts: FileFacts) -> bool:
    return facts.language == "python" and is_test_file(facts) and _INVOKE in facts.graph.symbols.texts()


def _sees(facts: FileFacts, owner: int, command: Command) -> bool:
    """Return whether code in a definition may mean a command: of the code, or of its own scope in tests."""
    path, _, function = command.scope.partition("::")
    if not path:
        return True
    around = facts.definitions[owner].qualname if owner >= 0 else ""
    return path == facts.path and (not function or f"{around}.".startswith(f"{function}."))


def list_commands(files: Sequence[FileFacts], entries: Mapping[int, EntryPoint]) -> list[Command]:
    """List the commands by their decorators and by calls such as `group.add_command(command, "name")`."""
    found: list[Command] = []
    registered: list[tuple[str, str, str]] = []
    start = 0
    for facts in files:
        for number, definition in enumerate(facts.definitions, start + 1):
            if number in entries and (command := _read_command(entries[number], facts, definition)) is not None:
                found.append(command)
        if facts.language == "python" and not _REGISTERS.isdisjoint(facts.graph.symbols.texts()):
            registered += _list_registered(CallReader(facts))
        start += 1 + len(facts.definitions)
    for group, function, name in registered:
        known = [one for one in found if one.function == function]
        own = frozenset({name}) if name else frozenset()
        found += [one._replace(groups=frozenset({group}), names=own or one.names) for one in known]
        if not known and name:  # an application of Typer, which has no function
            found.append(Command(-1, frozenset({name}), function, frozenset({group}), True, ""))
    return found


def _list_registered(calls: CallReader) -> Iterator[tuple[str, str, str]]:
    """Yield (group, command, name) of calls that add commands to groups."""
    for call in calls.list_calls(_REGISTERS):
        given = calls.arguments(call, ("cmd", "name"))
        receiver = calls.receiver(call)
        if receiver >= 0 and given:
            yield calls.last_name(receiver), calls.last_name(given[0]), calls.text(given[1]) if len(given) > 1 else ""


def _read_command(entry: EntryPoint, facts: FileFacts, definition: Definition) -> Command | None:
    found = _DECORATOR.match(entry.name)
    if found is None or found["kind"] == "callback":
        return None
    named = _NAME.search(found["arguments"])
    name = definition.name.lower().replace("_", "-")
    names = {named["first"] or named["named"]} if named else {name, _SUFFIX.sub("", name)}
    group = found["group"].rpartition(".")[2]
    scope = f"{facts.path}::{definition.parent}" if definition.parent or is_test_file(facts) else ""
    groups = frozenset() if group in _FREE else frozenset({group})
    return Command(entry.target, frozenset(names), definition.name, groups, found["kind"] == "group", scope)


def match_commands(commands: Sequence[Command], app: str, words: Words) -> list[int]:
    """Return the commands that a command line runs: each group, then the command."""
    if any(one.function == app and not one.is_group for one in commands):
        return []  # The words are arguments of a single command.
    found: list[Command] = []
    group, may_guess = app, True
    for options in words:
        chosen = [one for word in sorted(options) for one in _match_word(commands, group, word, may_guess=may_guess)]
        if found and not chosen:
            break
        found += chosen
        if chosen and not all(one.is_group for one in chosen):
            break
        group = chosen[0].function if chosen else group
        may_guess = may_guess and not chosen and all(word.startswith("-") for word in options)
    return [one.target for one in found if one.target >= 0]


def _match_word(commands: Sequence[Command], group: str, word: str, *, may_guess: bool) -> list[Command]:
    """Return the command of a group; else, at the first place, the only command of the name, whose group has another name here."""
    named = [one for one in commands if word in one.names]
    if own := [one for one in named if group in one.groups]:
        return own[:1]
    return named[:1] if may_guess and len({one.target for one in named}) == 1 else []


class Helper(NamedTuple):
    """A function that passes its parameters on as the words of a command line."""

    names: frozenset[str]
    """Its own, and that of the fixture that returns it."""
    app: str
    position: int
    """Position of the parameter among the arguments of a call."""
    takes_rest: bool


@dataclass(eq=False, repr=False)
class InvocationReader(CallReader):
    """Reader of the command lines that one file of tests runs."""

    @cached_property
    def _parametrized(self) -> dict[tuple[int, str], list[int]]:
        """Variables of the values of each parameter, by definition and name."""
        found: dict[tuple[int, str], list[int]] = defaultdict(list)
        for definition, name, variable, holds_all in PytestCalls(self.facts).parametrized():
            found[definition, name] += (self.list_elements(variable) or []) if holds_all else [variable]
        return found

    def list_helpers(self) -> Iterator[Helper]:
        """Yield the functions whose parameters are the words of a command line."""
        for call in self.list_calls((_INVOKE,)):
            owner, given = self.owner(call), self.arguments(call, _PARAMETERS)
            if owner < 0 or len(given) < 2:
                continue
            definition = self.facts.definitions[owner]
            is_method = definition.kind == "method"
            for position, (_, variable, kind) in enumerate(self.parameters(owner)[is_method:]):
                if kind in (op.PLAIN, op.REST) and variable == self._passed(given[1]):
                    names = frozenset({definition.name, definition.parent.rpartition(".")[2]} - {""})
                    yield Helper(names, self.last_name(given[0]), position, kind == op.REST)

    def _passed(self, variable: int) -> int:
        """Return the variable that is passed on, also as a copy by `list`."""
        source = self.source(variable)
        at = self._first[source]
        if self._name(at) in _COPIES and len(own := self.arguments(at)) == 1:
            return self.source(own[0])
        elements = self.list_spread(source)
        return self.source(elements[0]) if len(elements) == 1 else source

    def list_invocations(self, helpers: Collection[Helper]) -> Iterator[Invocation]:
        for call in self.list_calls((_INVOKE,)):
            given = self.arguments(call, _PARAMETERS)
            if len(given) >= 2:
                for words in self._read_lines(self.owner(call), given[1]):
                    yield Invocation(self.owner(call), self.line(call), self.last_name(given[0]), words)
        by_name = {name: helper for helper in helpers for name in helper.names}
        for call in self.list_calls(by_name):
            helper, given = by_name[self._name(call)], self.arguments(call)
            if len(given) <= helper.position:
                continue
            owner = self.owner(call)
            if helper.takes_rest:
                lines = [[self._options(owner, one) for one in given[helper.position :][:_MAX_WORDS]]]
            else:
                lines = list(self._read_lines(owner, given[helper.position]))
            yield from (Invocation(owner, self.line(call), helper.app, words) for words in lines)

    def _read_lines(self, owner: int, variable: int) -> Iterator[Words]:
        """Yield the words of the command lines that a variable may hold."""
        for value in self._values(owner, variable):
            elements = self.list_elements(value)
            if summands := self.summands(value):
                yield [word for one in summands for line in self._read_lines(owner, one) for word in line][:_MAX_WORDS]
            elif elements is not None:
                yield [self._options(owner, one) for one in elements[:_MAX_WORDS]]
            elif text := self.text(value):
                yield [frozenset({word}) for word in text.split()[:_MAX_WORDS]]

    def _values(self, owner: int, variable: int) -> list[int]:
        """Return the variable, or those of its values where it is a parameter that `parametrize` gives."""
        source = self.source(variable)
        parameters = self.parameters(owner) if owner >= 0 else []
        name = next((name for name, own, _ in parameters if own == source), "")
        return self._parametrized.get((owner, name), [source])

    def _options(self, owner: int, variable: int) -> frozenset[str]:
        return frozenset(filter(None, (self.text(value) for value in self._values(owner, variable))))
