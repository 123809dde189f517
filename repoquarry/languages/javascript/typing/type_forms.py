"""Reader of TypeScript type predicates (`v is T`), type parameters and computed types (`ReturnType`).

A function declares the type of its predicate as an attribute of itself, under a name that no program has: `<is:0>` for its first
parameter, `<is:this>` for its receiver, `<asserts:0>` where the call only returns if the predicate holds. Conditions (`narrowing`) read
the attribute, and so do external functions that receive a guard (`items.filter(isCircle)`).
Source: https://www.typescriptlang.org/docs/handbook/2/narrowing.html#using-type-predicates

`<0>`, `<1>`, ... are the types of a function's parameters, `<r>` that of its result, `<name>` that of an object's property. A function type
is a container of these (`SIGNATURE`, a kind that says nothing of values).

A class, an interface or an object type marks optional fields as `<?name>`.

Computed types read the parameter types and the result type from these attributes of the function.
Source: https://www.typescriptlang.org/docs/handbook/utility-types.html
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.constraints import MAX_PARAMETERS, parameter_field
from repoquarry.languages.javascript.extraction_state import Handler, JavaScriptExtractionState

_PREDICATE_WRAPPERS = frozenset(("type_predicate_annotation", "asserts_annotation"))
#: forms of a declared result that state the type of values, and whose call returns a boolean or nothing
FORMS = frozenset((*_PREDICATE_WRAPPERS, "type_predicate", "asserts"))


@dataclass(frozen=True, slots=True)
class TypePredicate:
    """Facts that follow when a function returns, or from its result."""

    name: str
    """The attribute of the function that has the type."""
    type: Node


def predicate_field(of: int | str, *, asserts: bool = False) -> str:
    """Return the attribute with the facts of calls about a parameter, by its position, or about `this`."""
    return f"<{'asserts' if asserts else 'is'}:{of}>"


def predicate(reader: JavaScriptExtractionState, function: Node) -> TypePredicate | None:
    """The predicate of a function, a signature or a function type; None where its result is a plain type, or `asserts v` alone."""
    node = function.child_by_field_name("return_type")
    if node is None or reader.kind(node) not in FORMS:
        return None
    asserts = False
    while node is not None and reader.kind(node) != "type_predicate":
        asserts = asserts or reader.kind(node) == "asserts"
        node = reader.first(node) if reader.kind(node) in FORMS else None
    name, told = (node.child_by_field_name(field) for field in ("name", "type")) if node is not None else (None, None)
    if name is None or told is None:
        return None
    of = subject(reader, function, reader.text(name))
    return TypePredicate(predicate_field(of, asserts=asserts), told) if of is not None else None


def subject(reader: JavaScriptExtractionState, function: Node, name: str) -> int | str | None:
    """Facts of a predicate: the argument that a parameter of this name receives, by its position, or `this`."""
    if name == "this":
        return name
    position = 0
    given = function.child_by_field_name("parameters")
    single = function.child_by_field_name("parameter")
    for child in reader.parts(given) if given is not None else [single] if single is not None else []:
        pattern = child.child_by_field_name("pattern") or child.child_by_field_name("left") or child
        if reader.kind(pattern) == "this" or reader.kind(child) == "decorator":
            continue
        if reader.text(pattern) == name:
            return position
        position += 1
    return None


#: kind of the container that a function type is
SIGNATURE = "signature"
#: the result of a function
RESULT = "<r>"
#: what calling a function gives, as values
GIVEN = "<v>"
#: what a class gives that is called for with `new () => T`
MADE = "<c>"
#: the declared result of a generic function, for calls that say its type arguments
DECLARED_RESULT = "<d>"
#: the property of instances of a class component that has what it is given
PROPERTIES = "<props>"
#: keyword of a class with type parameters that have defaults, as `TYPE_PARAMETERS`; the attribute of a function that has those of its own,
#: as a tuple
DEFAULTS = "<defaults>"
#: names of attributes that do not name types by themselves
NAMES = (*map(parameter_field, range(MAX_PARAMETERS + 1)), RESULT, GIVEN, MADE, SIGNATURE, predicate_field(0))


class Generics:
    """Reader of type parameters and type arguments."""

    def __init__(self, reader: JavaScriptExtractionState, type_of: Handler) -> None:
        """`type_of` reads the types in brackets."""
        self.reader = reader
        self._type_of = type_of
        self._names: set[str] = set()
        """Names of all type parameters of the file."""

    def declare(self, node: Node, owner: int) -> int:
        """`<T extends Base>` of definition `owner`: itself, and its bound; how many there are."""
        reader = self.reader
        given = node.child_by_field_name("type_parameters")
        position = -1
        for child in reader.parts(given) if given is not None else ():
            name = child.child_by_field_name("name")
            if name is None:
                continue
            position += 1
            variable = reader.scopes.current.names[reader.text(name)] = reader.graph.variable()
            self._names.add(reader.text(name))
            bound = child.child_by_field_name("constraint")
            found = self._type_of(bound) if bound is not None else -1
            reader.graph.assign(variable, op.PARAMETER, owner, position, found if owner >= 0 else -1)
            if owner < 0 <= found:  # parameters of aliases are not distinguished
                reader.graph.assign(variable, op.COPY, found)
        return position + 1

    def mentioned(self, node: Node | None) -> bool:
        """Return whether a type mentions a name that some class or function of the file has as a type parameter."""
        pending = [node] if node is not None else []
        while pending:
            one = pending.pop()
            if self.reader.kind(one) == "type_identifier" and self.reader.text(one) in self._names:
                return True
            pending.extend(one.named_children)
        return False

    def default_types(self, node: Node) -> list[Node | None]:
        """Defaults of the type parameters of a definition, `<T = Item>`; None for those without a default."""
        given = node.child_by_field_name("type_parameters")
        return [child.child_by_field_name("value") for child in self.reader.parts(given)] if given is not None else []

    def defaults(self, node: Node) -> list[int]:
        """Variables of the defaults of the type parameters of a class, `<T = Item>`; -1 for those without a default."""
        return [self._type_of(one) if one is not None else -1 for one in self.default_types(node)]

    def with_arguments(self, base: int, given: Node) -> int:
        """The type `base` with the types in brackets after it."""
        graph = self.reader.graph
        arguments = [self._type_of(child) for child in self.reader.parts(given)]
        empty = graph.variable()
        return graph.value(op.TYPEARGS, base, len(arguments), *(one if one >= 0 else empty for one in arguments))

    def is_parameter(self, name: str) -> bool:
        """Return whether some class or function of the file has a type parameter of this name."""
        return name in self._names


@dataclass(slots=True)
class ClassMembers:
    """Names that the body of a class binds, while it is read."""

    index: int
    value: int
    """Variable of the class itself."""
    bound: dict[str, list[int]] = field(default_factory=dict)
    accessors: dict[str, list[int]] = field(default_factory=dict)
    """Property -> variables of its getter and its setter, -1 for none."""
    fields: list[int] = field(default_factory=list)
    decorators: list[Node] = field(default_factory=list)
    """Modifiers before the next member."""
    types: dict[str, Node] = field(default_factory=dict)
    """Name of a field -> its declared type, of classes with type parameters."""
    is_interface: bool = False
    is_generic: bool = False


class OpenClasses:
    """Those whose bodies are being read."""

    def __init__(self) -> None:
        self._members: list[ClassMembers] = []

    def open(self, members: ClassMembers) -> None:
        """Goes on reading within a class."""
        self._members.append(members)

    def close(self) -> None:
        """Leave the innermost class."""
        self._members.pop()

    @property
    def innermost(self) -> ClassMembers | None:
        """The innermost class, None outside of classes."""
        return self._members[-1] if self._members else None


def declared_again(name: str) -> str:
    """Return the name under which a class has the type of a field that it declares again."""
    return f"<!{name}>"


def optional(field: str) -> str:
    """Return the attribute that says that a field may be missing."""
    return f"<?{field}>"


class ComputedTypes:
    """Reader of such types."""

    def __init__(self, reader: JavaScriptExtractionState, type_of: Handler) -> None:
        """`type_of` reads the types in brackets."""
        self.reader = reader
        self._type_of = type_of
        self._forms: dict[str, Handler] = {
            "ReturnType": self._result,
            "Parameters": self._parameters,
            "ConstructorParameters": partial(self._parameters, constructs=True),
        }

    def type(self, node: Node) -> int | None:
        """Return the variable of such a type, -1 where it names no class; None for any other type."""
        name, function = self._named(node)
        form = self._forms.get(name)
        return form(function) if form is not None and function is not None else None

    def value(self, node: Node) -> int | None:
        """As `type`, for the possible values of the type: the result of the function itself, declared or not."""
        name, function = self._named(node)
        called = self._type_of(function) if name == "ReturnType" and function is not None else -1
        if called < 0:
            return None
        declared = self.reader.graph.value(op.TYPED, self._attribute(called, RESULT), self.reader.owner)
        return self.reader.graph.copies((self._attribute(called, GIVEN), declared))

    def one_of(self, node: Node) -> int | None:
        """Return the type of one of the parameters, `Parameters<typeof load>[0]`; None for any other look-up."""
        parts = self.reader.parts(node)
        position = self.reader.text(parts[1]) if len(parts) == 2 else ""
        name, function = self._named(parts[0]) if position.isdecimal() else ("", None)
        if function is None or name not in ("Parameters", "ConstructorParameters") or int(position) > MAX_PARAMETERS:
            return None
        called = self._called(function, constructs=name == "ConstructorParameters")
        return self._attribute(called, parameter_field(int(position))) if called >= 0 else -1

    def is_of_result(self, node: Node) -> bool:
        """Return whether a type is `ReturnType<...>`."""
        return self._named(node)[0] == "ReturnType"

    def _named(self, node: Node) -> tuple[str, Node | None]:
        """Name and argument of a type with brackets that no declaration of the file means."""
        reader = self.reader
        name, given = node.child_by_field_name("name"), node.child_by_field_name("type_arguments")
        if name is None or given is None or reader.kind(node) != "generic_type":
            return "", None
        text = reader.text(name)
        return ("", None) if reader.scopes.is_declared(text) else (text, reader.first(given))

    def _result(self, function: Node) -> int:
        called = self._type_of(function)
        return self._attribute(called, RESULT) if called >= 0 else -1

    def _parameters(self, function: Node, *, constructs: bool = False) -> int:
        graph, called = self.reader.graph, self._called(function, constructs=constructs)
        if called < 0:
            return -1
        placed = [self._attribute(called, parameter_field(at)) for at in range(MAX_PARAMETERS + 1)]
        return graph.value(op.TYPEARGS, graph.value(op.NAME, graph.symbol("%Tuple")), len(placed), *placed)

    def _called(self, function: Node, *, constructs: bool) -> int:
        """Return the variable of a function type, of its constructor where that is meant; -1 where nothing is known."""
        called = self._type_of(function)
        return self._attribute(called, "constructor") if constructs and called >= 0 else called

    def _attribute(self, function: int, name: str) -> int:
        reader = self.reader
        return reader.graph.value(op.ATTR, function, reader.graph.symbol(name), 0, reader.owner)
