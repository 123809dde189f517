"""Names of the attributes in which the shapes of types are written: names that no program has.

`<0>`, `<1>`, ... are the types of a function's parameters, `<r>` that of its result, `<name>` that of an object's property. A function type is a
container of these (`SIGNATURE`, a kind that says nothing of values).
"""

from __future__ import annotations

from repoquarry.languages.javascript.typing.predicates import telling

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
#: keyword of a class whose base has type arguments
GENERIC_BASE = "<base>"
#: keywords of a class with type parameters: the class with brackets, in which their defaults stand; the same where there is a default; the
#: attribute of a function that has those of its own, as a tuple
PARAMETERS = "<parameters>"
DEFAULTS = "<defaults>"
#: parameters behind this one are not told apart
MOST_PARAMETERS = 9


def parameter(position: int) -> str:
    """The attribute that has the type of a parameter."""
    return f"<{position}>"


#: names of attributes that are no types by themselves
NAMES = (*map(parameter, range(MOST_PARAMETERS + 1)), RESULT, GIVEN, MADE, SIGNATURE, telling(0))
