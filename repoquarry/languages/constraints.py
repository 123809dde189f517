"""Constraint graph of one source file for points-to analysis: its operations, encoded as integers, and `ConstraintGraphBuilder`.

`ConstraintGraph.code` is a stream of int32. Each operation starts with its opcode and `next`, the offset of the next operation that
assigns to the same variable (-1: none); then come the operands named below. Names ending in `?` may be -1. `line` is 1-based, `owner` is
the index of the definition whose body contains the operation (-1: the module), `sym` an index into `symbols`.

    COPY src                                   target holds what src holds
    ATTR obj sym line owner                    obj.name
    CALL target callee line owner flags name? n (kind var)*n
                                               name: sym of the called name, the last part of the called expression;
                                               kind: POSITIONAL, SPLAT (*x), KEYWORDS (**x) or the keyword's sym
    ITEM obj key? keyvar? line owner           obj[key]; key is the sym of a constant, keyvar a variable that holds the key
    CONST sym value?                           a constant of the built-in type sym; value is the sym of its text
    FUNC index, CLASS index                    the definition itself
    NAME sym                                   bound nowhere in the file: star imports, then built-ins
    IMPORT sym whole                           `import a.b`: whole is 1 where the name is bound to a.b, 0 where to a
    FROM sym level name line owner             `from ..a import b`
    CONTAINER sym n (key var)*n                list, tuple, set, dict, generator; key: sym, ANY or SPREAD (elements of var)
    EACH obj line owner                        an element of obj, by iteration
    AWAIT obj line owner                       what awaiting obj gives
    ENTER obj line owner                       what entering the context manager obj gives
    OPER sym left right line owner             an operator by the name of its method (`__add__`)
    TYPED var owner                            an instance of the type that var names
    TYPEARGS base n var*n                      base[var, ...] in a type
    DECLARED var owner src                     as TYPED, and of src what is of that type
    NARROW src cls keep                        of src, the instances of cls (keep 1) or the others (keep 0)
    SLICE obj start line owner                 obj[start:]; line 0 where an unpacking assignment takes it
    UNPACK obj key line owner                  the element key of obj in an unpacking assignment; sym or ANY
    SETATTR obj sym value line owner           obj.name = value (assigns to no variable)
    SETITEM obj key? keyvar? value line owner  obj[key] = value
    DELATTR obj sym line owner                 del obj.name (assigns to no variable)
    STAR sym level                             `from ..a import *`
    MENTION var line owner sym                 var is mentioned: sym is `annotation`, `handler`, `raises` or `value`
    SENT obj                                   what comes back for obj where a generator yields it to something that drives it
    RAISE var line owner                       raising a class makes an instance of it
    PROPERTY getter? setter?                   an attribute that functions read and write
    SUPER index receiver                       the receiver as the class above definition `index` sees it
    INHERITS sub base                          what sub holds (classes, functions that make objects) inherits from what base holds (assigns to
                                               no variable)
    GUARD src call sym keep                    of src, what is (keep 1) or is not (0) of the type that the function called declares under sym to
                                               mention it; call: variable of the call's result
    BRACKETS call types                        types, of TYPEARGS, are the type arguments of the callee of the call with the result `call` (assigns to
                                               no variable)
    PARAMETER owner position bound             a type parameter of definition `owner` (-1: of an alias), and what it extends (-1: not said)

`ConstraintGraph.functions` holds for each definition its length, and then
for functions FUNC, flags, the variables of the result, of its yielded values and of the declared result (-1), the number of parameters, and
for each its name sym, variable and kind;
for classes CLASS, the number of bases and their variables, the number of keywords (metaclass=) and for each its sym and variable, the
number of annotated names and for each its sym and variable.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from struct import pack

from repoquarry.languages.facts import ConstraintGraph, TextPool

(
    COPY, ATTR, CALL, ITEM, CONST, FUNC, CLASS, NAME, IMPORT, FROM, CONTAINER, EACH, AWAIT, ENTER, OPER, TYPED,
    TYPEARGS, NARROW, SLICE, UNPACK, SETATTR, SETITEM, STAR, MENTION, RAISE, DECLARED, SENT, PROPERTY, SUPER,
    INHERITS, PARAMETER, GUARD, BRACKETS, DELATTR,
) = range(34)  # fmt: skip

POSITIONAL, SPLAT, KEYWORDS = -1, -2, -3
ANY, SPREAD = -1, -2

#: flags of CALL
DECORATES = 1
"""The call applies a decorator: what it is given comes back where nothing better is known."""
CONSTRUCTS = 2
"""The call makes an object (`new f()`): of a function too, which receives it."""

HANDLES = 4
"""The call runs what is registered for an event: only known targets are edges. The event is an attribute that begins with EVENT."""
EVENT = "@on:"
"""Beginning of the attribute that holds what is registered for an event; the name of the event follows."""

#: flags of functions: METHOD stands directly in a class; STATIC receives no instance, OF_CLASS receives the class; RECEIVES has a first
#: parameter for what it is called on, which takes no argument where it is called on nothing; ACCESSOR runs where an attribute is read or
#: written; GENERIC has type parameters of its own; GUARDS declares, as attributes of itself, what
#: calls of it determine the types of their arguments
ASYNC, GENERATOR, LAMBDA, METHOD, STATIC, OF_CLASS, ABSTRACT, RECEIVES, ACCESSOR = 1, 2, 4, 8, 16, 32, 64, 128, 256
GENERIC = 512
GUARDS = 1024

#: keywords of class records: a base with type arguments; the presence of type parameters
GENERIC_BASE, TYPE_PARAMETERS = "<base>", "<parameters>"
GENERIC_PROTOCOLS = {"generic_base": GENERIC_BASE, "type_parameters": TYPE_PARAMETERS}
#: parameters after this one are not distinguished
MAX_PARAMETERS = 9


def parameter_field(position: int) -> str:
    """Return the attribute of a function that has the type of a parameter."""
    return f"<{position}>"


#: the table `parameter_types` of the kernel
PARAMETER_TYPES = tuple(text for at in range(MAX_PARAMETERS + 1) for text in (str(at), parameter_field(at)))


#: copies of copies that are followed where the order of assignments is not known
MAX_COPIES = 4

#: kinds of parameters
PLAIN, POSITION_ONLY, KEYWORD_ONLY, REST, KEYWORD_REST = 0, 1, 2, 3, 4


class ConstraintGraphBuilder:
    """Collector of the operations of one file."""

    def __init__(self) -> None:
        self.code: list[int] = []
        self.first: list[int] = []
        self.roots: list[int] = []
        self.scopes: list[int] = []
        self.functions: list[list[int]] = []
        self.receivers: list[int] = []
        self._symbols: dict[str, int] = defaultdict(count().__next__)
        self.symbol: Callable[[str], int] = self._symbols.__getitem__
        """Number of a string."""

    def texts(self) -> list[str]:
        """Return the strings by number."""
        return list(self._symbols)

    def source(self, variable: int) -> int:
        """Return the variable of which another is a plain copy, through a few copies; the variable itself where it is none."""
        for _ in range(MAX_COPIES):
            offset = self.first[variable]
            if offset < 0 or self.code[offset] != COPY:
                break
            variable = self.code[offset + 2]
        return variable

    def variable(self) -> int:
        """Return a fresh variable to which nothing is assigned yet."""
        target = len(self.first)
        self.first.append(-1)
        return target

    # a tuple of some numbers and the items of another is made slowly, so operands are appended by themselves

    def assign(self, target: int, opcode: int, *operands: int) -> int:
        """Append an operation that assigns to `target`; return `target`."""
        code, first = self.code, self.first
        offset = len(code)
        code += (opcode, first[target])
        code += operands
        first[target] = offset
        return target

    def value(self, opcode: int, *operands: int) -> int:
        """Return a fresh variable with one operation that assigns to it."""
        code, first = self.code, self.first
        target = len(first)
        first.append(len(code))
        code += (opcode, -1)
        code += operands
        return target

    def effect(self, opcode: int, *operands: int) -> None:
        """Add an operation that assigns to no variable and always matters."""
        code = self.code
        self.roots.append(len(code))
        code += (opcode, -1)
        code += operands

    def call(self, callee: int, line: int, owner: int, flags: int, name: int, arguments: Sequence[int]) -> int:
        """A call; `arguments` alternates kinds and variables. Return the variable of its result."""
        code, first = self.code, self.first
        target, offset = len(first), len(code)
        first.append(offset)
        self.roots.append(offset)
        code += (CALL, -1, target, callee, line, owner, flags, name, len(arguments) >> 1)
        code += arguments
        return target

    def receiver(self, result: int, name: int) -> None:
        """Record the name of the local variable whose method the call with this result calls."""
        self.receivers += (self.first[result], name)

    def rooted(self, opcode: int, *operands: int) -> int:
        """A fresh variable whose operation can run code by itself (a property, an operator), so that it matters even when unused."""
        self.roots.append(len(self.code))
        return self.value(opcode, *operands)

    def copies(self, sources: Iterable[int]) -> int:
        """Return a variable that holds what all `sources` hold: the source itself where there is but one."""
        distinct = dict.fromkeys(sources)
        if len(distinct) == 1:
            return min(distinct)
        target = self.variable()
        for source in distinct:
            self.assign(target, COPY, source)
        return target

    def finish(self) -> ConstraintGraph:
        """Return the record."""
        return ConstraintGraph(
            symbols=TextPool.of(self._symbols),
            code=_packed(self.code),
            first=_packed(self.first),
            roots=_packed(self.roots),
            scopes=_packed(self.scopes),
            functions=_packed([number for record in self.functions for number in record or (1,)]),
            receivers=_packed(self.receivers),
        )


def _packed(numbers: Sequence[int]) -> bytes:
    """int32, in half of the time that `array` takes."""
    return pack(f"{len(numbers)}i", *numbers)
