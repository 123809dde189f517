"""Reduced syntax tree of Java: node layouts that extraction writes and type attribution reads.

Nodes are lists `[kind, ...]`, so that they pack as msgpack arrays; absent parts are None. A type is `[name, arguments, dimensions]`: the
dotted name as written (`int`, `Map.Entry`, `var`), type arguments or None (an empty list is the diamond), number of array dimensions, and
then the type arguments of the enclosing types, if any (`Outer<T>.Inner`). A wildcard is `["?", 0, None]`, `["?", 1, upper bound]` or
`["?", 2, lower bound]`; an intersection (in casts) `["&", types, 0]`, a union (in catch) `["|", types, 0]`.
A string has its text where reflection may take it for a name, and in constants.
Lines are 1-based; `definition` is an index into `FileFacts.definitions`.

    NAME name line                         THIS type?  (`Outer.this`)         SUPER type?  (`Outer.super`)
    FIELD object name line                 CALL object? name arguments line type_arguments?
    NEW type arguments line class? object? (class: CLASS node of an anonymous class; object: `outer.new Inner()`)
    LITERAL type text?                     CLASS_LITERAL type                 ASSIGN target value operator
    BINARY operator operands               UNARY operator operand             CONDITIONAL condition left right
    CAST type value                        INSTANCE value type? pattern?      INDEX array index
    ARRAY type elements                    LAMBDA parameters body definition line (parameters: (name, type?); body: expression or BLOCK)
    REFERENCE object? type? name line      SWITCH value cases line            SEVERAL expressions (no value of their own)
    LOCAL type declarators (name, dimensions, value, line)   DO expression    BLOCK statements      RETURN value?
    (a BLOCK with a third part binds names for what is around it: `if (!(x instanceof T t)) return;`)
    FOR_EACH type name value body line     TRY resources body catches (types, name, body) finally   CLASS_HERE CLASS node
    FOR init condition update body         CONSTRUCT which arguments line object?  (which: `this` or `super`)    YIELD value
    CASE patterns and guards, body         PATTERN type? name? parts?         (a binding, or a record's parts)

    CLASS definition kind name type_parameters superclass? interfaces fields methods initializers classes constants is_static line
          permits? record_components
    FIELD_HERE name type is_static value line is_private_or_final          METHOD definition name type_parameters parameters result flags body line
    (parameters: (name, type); flags: FLAG_*), INITIALISER is_static BLOCK, constants: (name, arguments, CLASS node?, line)
"""

from __future__ import annotations

from typing import Any

Node = list[Any]

(
    NAME, FIELD, CALL, NEW, LITERAL, CLASS_LITERAL, ASSIGN, BINARY, UNARY, CONDITIONAL, CAST, INSTANCE, INDEX, ARRAY, LAMBDA, REFERENCE,
    SWITCH, SEVERAL, LOCAL, DO, BLOCK, RETURN, FOR_EACH, TRY, CLASS_HERE, FOR, CONSTRUCT, YIELD, CASE, PATTERN, THIS, SUPER,
) = range(32)  # fmt: skip

#: flags of methods
STATIC, ABSTRACT, VARIADIC, CONSTRUCTOR, PRIVATE, DEFAULT, FINAL, PUBLIC = 1, 2, 4, 8, 16, 32, 64, 128
#: a method with a syntax error in its parameters: their number is unknown
BROKEN = 256
