"""Command lines: the values that argparse and optparse keep by name, from where a parser is told of them to where they are read.

A parser, its groups and the parsers of its subcommands fill one namespace: which subcommand was chosen is known at run time only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from repoquarry.ingest.resolution.model import SolverBudget
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.calls.arguments import Arguments
from tests.oracle.resolver.program import Program
from tests.oracle.resolver.values.text_parts import TextParts

#: methods of a parser or of what belongs to one -> the kind of container that they give
_PARTS = {
    "add_subparsers": "subparsers",
    "add_argument_group": "argument group",
    "add_mutually_exclusive_group": "argument group",
    "add_option_group": "argument group",
}
_OWNERS = (
    "argparse.ArgumentParser",
    "argparse._SubParsersAction",
    "argparse._ArgumentGroup",
    "argparse._MutuallyExclusiveGroup",
    "optparse.OptionParser",
    "optparse.OptionGroup",
)

#: called with the receiver, the place of the call, its arguments and the variable of its result
MethodBehaviour = Callable[[int, int, Arguments, int], None]


class CommandLines(TextParts):
    """Adds parsers of command lines; `methods` says what their methods do."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        self.behaviours |= {
            "argparse.ArgumentParser": partial(self._new_parser, kind="argument parser"),
            "optparse.OptionParser": partial(self._new_parser, kind="option parser"),
            "argparse.Namespace": partial(self._dict, kind="namespace"),
            "types.SimpleNamespace": partial(self._dict, kind="namespace"),
            "builtins.vars": self._vars,
        }
        methods: dict[str, MethodBehaviour] = {
            "set_defaults": self._set_defaults,
            "add_parser": self._add_parser,
            "add_argument": self._add_argument,
            "add_option": self._add_argument,
            "parse_args": self._parse,
            "parse_known_args": self._parse_pair,
            "parse_intermixed_args": self._parse,
        }
        methods |= {name: partial(self._add_part, kind=kind) for name, kind in _PARTS.items()}
        self._methods_of_parsers = {f"{owner}.{name}": method for owner in _OWNERS for name, method in methods.items()}
        self._methods_of_parsers["optparse.OptionParser.parse_args"] = self._parse_pair

    def call_builtin_method(self, held: int, place: int, arguments: Arguments, target: int, how: str) -> None:
        method = self._methods_of_parsers.get(self.objects.name[held])
        if method is None:
            super().call_builtin_method(held, place, arguments, target, how)
        else:
            self.note_outside(place, self.objects.name[held], how)
            method(self.objects.b[held], place, arguments, target)

    def _new_parser(self, place: int, arguments: Arguments, target: int, kind: str) -> None:
        self._inherit(self._made(place, kind, target), arguments)

    def _inherit(self, parser: int, arguments: Arguments) -> None:
        """`parents=`: parsers whose arguments a parser has as well."""
        if (parents := arguments.keywords.get("parents")) is not None:
            parent = self.variable()
            self.listen(parents, self._on_each, parent)
            self.listen(parent, self._on_parent, parser)

    def _on_parent(self, held: int, parser: int) -> None:
        self.spread(self._namespace(held), self._namespace(parser))

    def _parser_of(self, held: int) -> int:
        """The parser that a group, or the list of subcommands, belongs to."""
        return self.objects.b[held] if self.objects.kind[held] == ob.CONTAINER and self.objects.b[held] >= 0 else held

    def _namespace(self, held: int) -> int:
        """The container of what parsing gives, by name."""
        return self.objects.get(ob.CONTAINER, b=self._parser_of(held), name="namespace")

    def _add_part(self, receiver: int, place: int, arguments: Arguments, target: int, kind: str) -> None:
        self.put(target, self.objects.get(ob.CONTAINER, b=self._parser_of(receiver), name=kind))

    def _add_parser(self, receiver: int, place: int, arguments: Arguments, target: int) -> None:
        parser = self._parser_of(receiver)
        self._inherit(parser, arguments)
        is_part = self.objects.kind[parser] == ob.RESULT
        self.put(target, self.objects.get(ob.RESULT, name="argparse.ArgumentParser") if is_part else parser)

    def _set_defaults(self, receiver: int, place: int, arguments: Arguments, target: int) -> None:
        namespace = self._namespace(receiver)
        for name, variable in arguments.keywords.items():
            self.flow(variable, self.element(namespace, repr(name)))
        for variable in arguments.mappings:
            self.listen(variable, self._on_spread, namespace)

    def _add_argument(self, receiver: int, place: int, arguments: Arguments, target: int) -> None:
        """What stands for a missing or bare option is read under the option's name."""
        values = [arguments.keywords[name] for name in ("default", "const") if name in arguments.keywords]
        named = arguments.keywords.get("dest")
        for value in values:
            for name in [named] if named is not None else arguments.positional:
                self.listen(name, self._on_option, self._namespace(receiver), value)

    def _on_option(self, held: int, namespace: int, value: int) -> None:
        if self.objects.is_key(held):
            name = self.objects.name[held].strip("'\"").lstrip("-").replace("-", "_")
            self.flow(value, self.element(namespace, f"'{name}'"))

    def _parse(self, receiver: int, place: int, arguments: Arguments, target: int) -> None:
        self.put(target, self._namespace(receiver))

    def _parse_pair(self, receiver: int, place: int, arguments: Arguments, target: int) -> None:
        """The namespace, and what is left over."""
        self.put(self.element(self._made(place, "tuple", target), "0"), self._namespace(receiver))

    def _vars(self, place: int, arguments: Arguments, target: int) -> None:
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_vars, target)

    def _on_vars(self, held: int, target: int) -> None:
        if self.objects.kind[held] == ob.CONTAINER and self.objects.name[held] == "namespace":
            self.put(target, held)
        else:
            self.put(target, self.objects.get(ob.OPAQUE, name="builtins.vars"))
