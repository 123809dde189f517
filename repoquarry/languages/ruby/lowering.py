"""Lowering of Ruby files to the tree of `declared_types`: declarations, expressions and statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from tree_sitter import Node as Syntax

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.lowered_tree import Declaration, LoweredFile, Node, Parameter, encode_file
from repoquarry.languages.declared_types.syntax import NOTHING, line_of, lower_rest, named, named_type, text_of

CONSTRUCTOR: Final = "initialize"
CREATION: Final = "new"
OWN: Final = "<self>"
"""Written type of the class around."""
MAIN: Final = "<main>"
"""Type of `self` outside of classes."""
STATIC: Final = "self."
"""Beginning of the names of methods of classes themselves."""
EXTENDED: Final = "<extend>"
"""Beginning of the names of the modules whose methods a class has itself."""
_SELF: Final = "self"
_INSTANCE: Final = "<instance>"
"""Local name by which methods of a class reach what it holds itself."""
_MIXINS: Final = frozenset({"include", "prepend"})
_READERS: Final = frozenset({"attr_reader", "attr_accessor", "attr"})
_WRITERS: Final = frozenset({"attr_writer", "attr_accessor"})
_LITERALS: Final = {
    "string": "String", "heredoc_body": "String", "integer": "Integer", "float": "Float", "simple_symbol": "Symbol", "regex": "Regexp",
}  # fmt: skip
_BODIES: Final = frozenset(
    {"body_statement", "then", "else", "begin", "do", "block_body", "ensure", "parenthesized_statements", "program"}
)


def lower(root: Syntax, definitions: Mapping[int, int]) -> bytes:
    """Return a file as `FileFacts.own`; `definitions` are the indexes of definitions by the id of their node."""
    return encode_file(_RubyLowering(definitions).file(root))


def path_of(node: Syntax | None) -> list[str]:
    """Return the parts of a constant; one from the top begins with an empty part."""
    return text_of(node).split("::")


class _RubyLowering:
    """Lowering of one file."""

    def __init__(self, definitions: Mapping[int, int]) -> None:
        self._definitions = definitions
        self._locals: set[str] = set()
        """Local variables of the method so far; every other plain name is a call."""
        self._method = ""
        self._is_static = False
        self._is_block = False
        self._run: dict[str, Callable[[Syntax], Node | None]] = {
            "identifier": self._identifier,
            "constant": self._constant,
            "scope_resolution": self._constant,
            "self": lambda node: [tree.NAME, _SELF, line_of(node)],
            "instance_variable": self._field,
            "class_variable": self._field,
            "global_variable": lambda node: [tree.NAME, text_of(node), line_of(node)],
            "call": self._call,
            "super": self._super,
            "yield": lambda node: [tree.SEVERAL, self._each(node)],
            "lambda": self._lambda,
            "assignment": self._assignment,
            "operator_assignment": self._operator_assignment,
            "element_reference": self._index,
            "array": lambda node: [tree.SEQUENCE, self._each(node)],
            "hash": lambda node: [tree.SEQUENCE, self._each(node)],
            "pair": self._pair,
            "binary": self._binary,
            "unary": lambda node: [tree.OPERATOR, self._each(node)],
            "if": self._if,
            "unless": self._if,
            "elsif": self._if,
            "conditional": self._if,
            "if_modifier": self._if,
            "unless_modifier": self._if,
            "rescue_modifier": lambda node: [tree.ALTERNATIVES, self._each(node)],
            "case": self._case,
            "rescue": self._rescue,
            "for": self._for,
            "return": self._return,
            "method": self._local_method,
            "singleton_method": self._local_method,
            "class": lambda node: [tree.DECLARE, one] if (one := self._class(node)) else None,
            "module": lambda node: [tree.DECLARE, one] if (one := self._class(node)) else None,
            **dict.fromkeys(_BODIES, self._body),
        }

    # ---- declarations

    def file(self, root: Syntax) -> LoweredFile:
        """Lower a file."""
        found = LoweredFile()
        statements: list[Node | None] = [
            [tree.LET, [tree.BIND, _SELF], None, [tree.LITERAL, named_type(MAIN), [], 1], False, 1]
        ]
        for node in named(root):
            declared = list(self._members(node, is_top=True))
            found.declarations += declared
            if not declared:
                statements.append(self.value(node))
        found.statements = [one for one in statements if one is not None]
        return found

    def _members(self, node: Syntax, *, is_top: bool = False, is_static: bool = False) -> Iterator[Declaration]:
        """Yield what a statement declares in a class, or in the file."""
        if node.type in ("class", "module"):
            yield self._class(node)
        elif node.type == "singleton_class":
            for child in named(node.child_by_field_name("body")):
                yield from self._members(child, is_static=True)
        elif node.type in ("method", "singleton_method"):
            yield self._function(node, is_top=is_top, is_static=is_static or node.type == "singleton_method")
        elif (
            node.type == "assignment"
            and (left := node.child_by_field_name("left")) is not None
            and left.type == "constant"
        ):
            yield self._constant_value(node, left, is_top=is_top)
        elif node.type in ("if", "unless", "begin", "then", "else", "if_modifier", "unless_modifier") and _declares(
            node
        ):
            for child in named(node):
                yield from self._members(child, is_top=is_top, is_static=is_static)
        elif node.type == "call" and not is_top:
            yield from self._macro(node, is_static=is_static)
        elif node.type == "alias" and not is_top:
            yield self._alias(
                text_of(node.child_by_field_name("name")), text_of(node.child_by_field_name("alias")), node
            )
        elif not is_top:
            yield self._class_statement(node)

    def _class(self, node: Syntax) -> Declaration:
        *around, name = path_of(node.child_by_field_name("name"))
        one = Declaration(tree.CLASS, name, line_of(node), self._definitions.get(node.id, -1), tree.PARTIAL)
        extended = named(node.child_by_field_name("superclass"))
        self._fill(one, node.child_by_field_name("body"))
        if extended and extended[0].type in ("constant", "scope_resolution"):
            one.bases.append([tree.NAMED, path_of(extended[0]), []])
        for part in reversed([each for each in around if each]):
            one = Declaration(tree.CLASS, part, line_of(node), flags=tree.PARTIAL, members=[one])
        return one

    def _fill(self, one: Declaration, body: Syntax | None) -> None:
        """Add the members of a class; included modules come before its base, the last one first."""
        before = self._locals
        self._locals = set()
        functions = False
        for child in named(body):
            if child.type == "call" and child.child_by_field_name("receiver") is None:
                word = text_of(child.child_by_field_name("method"))
                parts = named(child.child_by_field_name("arguments"))
                paths = [
                    [tree.NAMED, path_of(part), []] for part in parts if part.type in ("constant", "scope_resolution")
                ]
                if word in _MIXINS:
                    one.bases[:0] = paths
                    continue
                if word == "extend":
                    written = [*paths, *(named_type(OWN) for part in parts if part.type == "self")]
                    one.members += [
                        Declaration(tree.TYPE_ALIAS, f"{EXTENDED}{line_of(child)}.{at}", line_of(child), type=type_)
                        for at, type_ in enumerate(written)
                    ]
                    continue
                functions = functions or (word == "module_function")
            one.members += self._members(child)
        if functions or any(text_of(child) == "module_function" for child in named(body)):
            one.members.append(Declaration(tree.TYPE_ALIAS, f"{EXTENDED}{one.line}", one.line, type=named_type(OWN)))
        self._locals = before

    def _macro(self, node: Syntax, *, is_static: bool) -> Iterator[Declaration]:
        """Yield what a call in a class declares: accessors, aliases, and methods that are its arguments."""
        word, parts = text_of(node.child_by_field_name("method")), named(node.child_by_field_name("arguments"))
        is_plain = node.child_by_field_name("receiver") is None
        names = [text_of(part).strip(":'\"") for part in parts if part.type in ("simple_symbol", "string")]
        prefix = STATIC if is_static else ""
        receiver: Node = [tree.NAME, _INSTANCE if is_static else _SELF, line_of(node)]
        start = self._static_start(line_of(node)) if is_static else []
        if is_plain and word in _READERS | _WRITERS:
            for name in names:
                field = f"{prefix}@{name}"
                if word in _READERS:
                    body: Node = [tree.SEVERAL, [*start, [tree.RETURN, [tree.MEMBER, receiver, field, line_of(node)]]]]
                    yield Declaration(
                        tree.FUNCTION, f"{prefix}{name}", line_of(node), receiver="" if is_static else _SELF, body=body
                    )
                if word in _WRITERS:
                    stored: Node = [tree.STORE, receiver, field, [tree.NAME, "value", line_of(node)]]
                    yield Declaration(
                        tree.FUNCTION, f"{prefix}{name}=", line_of(node), receiver="" if is_static else _SELF,
                        parameters=[Parameter([tree.BIND, "value"], None)], body=[tree.SEVERAL, [*start, stored]],
                    )  # fmt: skip
        elif is_plain and word == "alias_method" and len(names) == 2:
            yield self._alias(names[0], names[1], node)
        elif any(part.type in ("method", "singleton_method") for part in parts):
            is_static = is_static or word == "private_class_method"
            for part in parts:
                yield from self._members(part, is_static=is_static)
        else:
            yield self._class_statement(node)

    def _alias(self, name: str, other: str, node: Syntax) -> Declaration:
        """A method by another name."""
        call: Node = [
            tree.CALL,
            [tree.MEMBER, [tree.NAME, _SELF, line_of(node)], other, line_of(node)],
            [],
            [],
            line_of(node),
        ]
        return Declaration(tree.FUNCTION, name, line_of(node), receiver=_SELF, body=[tree.RETURN, call])

    def _class_statement(self, node: Syntax) -> Declaration:
        """A statement of a class, which it runs itself."""
        self._method, self._is_static = "", True
        value: Node = [tree.SEVERAL, [*self._static_start(line_of(node)), self.value(node)]]
        self._is_static = False
        return Declaration(tree.FIELD, f"<{line_of(node)}>", line_of(node), value=value)

    def _static_start(self, line: int) -> list[Node | None]:
        """Return what binds `self` to the class around."""
        return [
            [tree.LET, [tree.BIND, _SELF], None, [tree.TYPE, named_type(OWN), line], False, line],
            [tree.LET, [tree.BIND, _INSTANCE], named_type(OWN), None, False, line],
        ]

    def _constant_value(self, node: Syntax, left: Syntax, *, is_top: bool) -> Declaration:
        """A constant; `Struct.new(:a) do .. end` and `Class.new(Base) do .. end` are classes."""
        right = node.child_by_field_name("right")
        made = text_of(right.child_by_field_name("receiver")) if right is not None and right.type == "call" else ""
        if (
            right is not None
            and made in ("Struct", "Class", "Data")
            and text_of(right.child_by_field_name("method")) in ("new", "define")
        ):
            one = Declaration(tree.CLASS, text_of(left), line_of(node), flags=tree.PARTIAL)
            block = right.child_by_field_name("block")
            self._fill(one, block.child_by_field_name("body") if block is not None else None)
            for part in named(right.child_by_field_name("arguments")):
                if part.type == "simple_symbol":
                    name = text_of(part).lstrip(":")
                    one.members.append(Declaration(tree.FUNCTION, name, line_of(node), receiver=_SELF))
                elif part.type in ("constant", "scope_resolution") and made == "Class":
                    one.bases.append([tree.NAMED, path_of(part), []])
            return one
        value: Node = [tree.SEVERAL, [self.value(right)]] if right is None else (self.value(right) or NOTHING)
        return Declaration(tree.VARIABLE if is_top else tree.FIELD, text_of(left), line_of(node), value=value)

    def _function(self, node: Syntax, *, is_top: bool, is_static: bool) -> Declaration:
        name, line = node.child_by_field_name("name"), line_of(node)
        holder = node.child_by_field_name("object")
        one = Declaration(tree.FUNCTION, text_of(name), line_of(name or node), self._definitions.get(node.id, -1))
        around = self._locals, self._method, self._is_static
        self._locals, self._method, self._is_static = set(), one.name, is_static
        listed = node.child_by_field_name("parameters")
        one.parameters = self._parameters(listed)
        defaults = [self.value(part.child_by_field_name("value")) for part in named(listed)]
        start: list[Node | None] = []
        if is_static:
            one.name, one.flags = f"{STATIC}{one.name}", tree.STATIC
            start = self._static_start(line)
        elif is_top:
            start = [[tree.LET, [tree.BIND, _SELF], None, [tree.LITERAL, named_type(MAIN), [], line], False, line]]
        else:
            one.receiver = _SELF
        value = self.value(node.child_by_field_name("body"))
        one.body = [tree.SEVERAL, [*start, *defaults, [tree.RETURN, value]]]
        self._locals, self._method, self._is_static = around
        if holder is not None and holder.type == "constant" and is_static and is_top:
            one.owner = [tree.NAMED, path_of(holder), []]
        return one

    def _local_method(self, node: Syntax) -> Node:
        return [tree.DECLARE, self._function(node, is_top=True, is_static=node.type == "singleton_method")]

    def _parameters(self, node: Syntax | None) -> list[Parameter]:
        """Return parameters by position, then those with names; blocks are none."""
        found: list[Parameter] = []
        for part in named(node):
            name = text_of(part if part.type == "identifier" else part.child_by_field_name("name"))
            if part.type == "destructured_parameter":
                found.append(Parameter(self._target(part), None))
            elif name:
                self._locals.add(name)
                pattern: Node = [tree.BIND, name]
                if part.type in ("identifier", "optional_parameter"):
                    found.append(Parameter(pattern, None, is_optional=part.type == "optional_parameter"))
                elif part.type == "splat_parameter":
                    found.append(Parameter([tree.TYPED, named_type("Array", None), pattern], None, is_optional=True))
        return found

    # ---- expressions

    def value(self, node: Syntax | None) -> Node | None:
        """Lower an expression or statement; nodes without an entry are those inside them."""
        if node is None:
            return None
        read = self._run.get(node.type)
        return read(node) if read is not None else lower_rest(node, self._each(node), _LITERALS)

    def _each(self, node: Syntax | None) -> list[Node | None]:
        return [self.value(child) for child in named(node)]

    def _body(self, node: Syntax) -> Node | None:
        """Statements; the value is that of the last, or of a `rescue`."""
        others = [child for child in named(node) if child.type in ("rescue", "else", "ensure")]
        plain = [self.value(child) for child in named(node) if child not in others]
        if not others:
            return [tree.LAST, plain] if plain else None
        return [tree.ALTERNATIVES, [[tree.LAST, plain] if plain else None, *map(self.value, others)]]

    def _identifier(self, node: Syntax) -> Node | None:
        """A variable, otherwise a call of a method of `self`."""
        name, line = text_of(node), line_of(node)
        if name in self._locals:
            return [tree.NAME, name, line]
        if name == "raise" or name.startswith("__"):
            return None
        return [tree.CALL, [tree.MEMBER, [tree.NAME, _SELF, line], name, line], [], [], line]

    def _constant(self, node: Syntax) -> Node:
        scope = node.child_by_field_name("scope")
        if scope is not None and scope.type not in ("constant", "scope_resolution"):
            return [tree.MEMBER, self.value(scope) or NOTHING, text_of(node.child_by_field_name("name")), line_of(node)]
        return [tree.PATH, path_of(node), [], line_of(node)]

    def _field(self, node: Syntax) -> Node:
        receiver, name = self._holder(node)
        return [tree.MEMBER, receiver, name, line_of(node)]

    def _holder(self, node: Syntax) -> tuple[Node, str]:
        """Return what holds a variable of an object or class, and its name there."""
        name, line = text_of(node), line_of(node)
        if self._is_static:
            return [tree.NAME, _INSTANCE, line], name if name.startswith("@@") else f"{STATIC}{name}"
        return [tree.NAME, _SELF, line], name

    def _arguments(self, node: Syntax) -> list[Node | None]:
        """Return arguments; a block or `&:name` is the last one."""
        found: list[Node | None] = []
        for part in named(node.child_by_field_name("arguments")):
            if part.type == "block_argument":
                inside = named(part)
                if inside and inside[0].type == "simple_symbol":
                    # `&:name` is `{ |it| it.name }`.
                    name, line = text_of(inside[0])[1:], line_of(part)
                    call: Node = [tree.CALL, [tree.MEMBER, [tree.NAME, "it", line], name, line], [], [], line]
                    found.append([tree.LAMBDA, [[[tree.BIND, "it"], None]], call, None])
                else:
                    found.append([tree.SEVERAL, self._each(part)])
            elif part.type in ("pair", "splat_argument", "hash_splat_argument"):
                found.append([tree.SEVERAL, self._each(part)])
            else:
                found.append(self.value(part))
        block = node.child_by_field_name("block")
        return [*found, self._lambda(block)] if block is not None else found

    def _call(self, node: Syntax) -> Node | None:
        written, method = node.child_by_field_name("receiver"), node.child_by_field_name("method")
        name, line = text_of(method) or "call", line_of(method or node)
        if method is not None and method.type == "super":
            return self._super(node)
        arguments = self._arguments(node)
        if written is None and name in (
            "require",
            "require_relative",
            "raise",
            "puts",
            "loop",
            "proc",
            "lambda",
            "block_given?",
            "catch",
        ):
            return (
                arguments[-1]
                if name in ("proc", "lambda") and arguments
                else [tree.SEVERAL, [self._run_here(one) for one in arguments]]
            )
        if (
            name in ("push", "unshift", "append")
            and (stored := self._add_element(written, arguments, line)) is not None
        ):
            return stored
        receiver: Node | None = [tree.NAME, _SELF, line] if written is None else self.value(written)
        symbol = next(iter(named(node.child_by_field_name("arguments"))), None)
        if (
            name in ("send", "public_send", "__send__", "method")
            and symbol is not None
            and symbol.type == "simple_symbol"
        ):
            called: Node = [tree.MEMBER, receiver or NOTHING, text_of(symbol)[1:], line]
            return called if name == "method" else [tree.CALL, called, arguments[1:], [], line]
        return [tree.CALL, [tree.MEMBER, receiver or NOTHING, name, line], arguments, [], line]

    def _run_here(self, argument: Node | None) -> Node | None:
        """Return what a function literal does where it stands."""
        return argument[2] if argument is not None and argument[0] == tree.LAMBDA else argument

    def _super(self, node: Syntax) -> Node:
        line, name = line_of(node), f"{tree.ABOVE}{STATIC if self._is_static else ''}{self._method}"
        receiver: Node = [tree.NAME, _INSTANCE if self._is_static else _SELF, line]
        return [tree.CALL, [tree.MEMBER, receiver, name, line], self._arguments(node), [], line]

    def _lambda(self, node: Syntax) -> Node:
        outer = set(self._locals)
        body = node.child_by_field_name("body")
        parameters = self._parameters(node.child_by_field_name("parameters"))
        if body is not None and body.type in ("block", "do_block"):
            body = body.child_by_field_name("body")
        inside = self.value(body)
        self._locals = outer
        return [tree.LAMBDA, [[one.pattern, None] for one in parameters], inside, None]

    def _pair(self, node: Syntax) -> Node:
        return [tree.LAST, [self.value(node.child_by_field_name("key")), self.value(node.child_by_field_name("value"))]]

    def _index(self, node: Syntax) -> Node:
        value, *index = named(node)
        return [tree.INDEX, self.value(value), [tree.SEVERAL, [self.value(one) for one in index]]]

    def _target(self, node: Syntax) -> Node:
        """Names that a value is taken apart into."""
        if node.type == "identifier":
            self._locals.add(text_of(node))
            return [tree.BIND, text_of(node)]
        inside = named(node) if node.type.endswith(("list", "parameter", "destructured_left_assignment")) else []
        return [tree.EACH, [self._target(one) for one in inside]] if inside else [tree.ANY]

    def _store(self, target: Syntax | None, value: Node | None, line: int) -> Node | None:
        if target is None:
            return value
        if target.type == "identifier":
            self._locals.add(text_of(target))
            return [tree.LET, [tree.BIND, text_of(target)], None, value, False, line]
        if target.type in ("instance_variable", "class_variable"):
            receiver, name = self._holder(target)
            return [tree.STORE, receiver, name, value]
        if target.type == "left_assignment_list":
            return [tree.LET, self._target(target), None, value, False, line]
        if target.type == "element_reference":
            whole, *index = named(target)
            elements: Node = [tree.SEQUENCE, [value]]
            stored = (
                self._store(whole, elements, line)
                if whole.type == "instance_variable"
                else [tree.SEVERAL, [self.value(whole), value]]
            )
            return [tree.SEVERAL, [*(self.value(one) for one in index), stored]]
        if target.type == "call":
            method = target.child_by_field_name("method")
            receiver_value = self.value(target.child_by_field_name("receiver")) or NOTHING
            return [
                tree.CALL,
                [tree.MEMBER, receiver_value, f"{text_of(method)}=", line_of(method or target)],
                [value],
                [],
                line_of(method or target),
            ]
        return [tree.SEVERAL, [value]]

    def _assignment(self, node: Syntax) -> Node | None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if right is not None and right.type == "right_assignment_list":
            value: Node | None = [tree.PARTS, self._each(right)]
        elif right is not None and right.type == "nil":
            if left is not None and left.type == "identifier":
                self._locals.add(text_of(left))
            return None
        else:
            value = self.value(right)
        return self._store(left, value, line_of(node))

    def _operator_assignment(self, node: Syntax) -> Node | None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = text_of(node.child_by_field_name("operator"))
        if operator not in ("||=", "&&="):
            is_call = left is not None and left.type == "call"
            stored = self._store(left, None, line_of(node)) if is_call else None
            return [tree.SEVERAL, [self.value(left), self.value(right), stored]]
        if left is not None and left.type == "identifier":
            self._locals.add(text_of(left))
        return self._store(left, [tree.ALTERNATIVES, [self.value(left), self.value(right)]], line_of(node))

    def _binary(self, node: Syntax) -> Node:
        operator = text_of(node.child_by_field_name("operator"))
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        values = [self.value(left), self.value(right)]
        if operator == "<<" and (stored := self._add_element(left, values[1:], line_of(node))) is not None:
            return stored
        if operator in ("||", "or"):
            return [tree.ALTERNATIVES, values]
        if operator in ("&&", "and"):
            return [tree.LAST, values]
        return [tree.SAME if operator in ("+", "-", "<<", "|", "&") else tree.OPERATOR, values]

    def _add_element(self, target: Syntax | None, values: list[Node | None], line: int) -> Node | None:
        """Return what adds elements to a list in a field, or in that of an accessor; None for other lists."""
        if target is not None and target.type == "instance_variable":
            return [tree.SEVERAL, [self._store(target, [tree.SEQUENCE, values], line)]]
        holder = target.child_by_field_name("receiver") if target is not None and target.type == "call" else None
        if target is None or holder is None or holder.type not in ("identifier", "self", "instance_variable"):
            return None
        if holder.type == "identifier" and text_of(holder) not in self._locals:
            return None
        field = f"@{text_of(target.child_by_field_name('method'))}"
        return [tree.SEVERAL, [self.value(target), [tree.STORE, self.value(holder), field, [tree.SEQUENCE, values]]]]

    # ---- statements

    def _if(self, node: Syntax) -> Node:
        """A condition and its branches; a variable whose class it asks has it in the branch."""
        condition = node.child_by_field_name("condition")
        test, line = self.value(condition), line_of(node)
        names = dict(_tested(condition)) if condition is not None and "unless" not in node.type else {}
        kept: list[Node | None] = [
            [tree.LET, [tree.BIND, f"{name} {line}"], None, [tree.NAME, name, line], False, line] for name in names
        ]
        typed: list[Node | None] = [
            [tree.LET, [tree.BIND, name], [tree.NAMED, path, []], None, False, line] for name, path in names.items()
        ]
        given: list[Node | None] = [
            [tree.LET, [tree.BIND, name], None, [tree.NAME, f"{name} {line}", line], False, line] for name in names
        ]
        first = node.child_by_field_name("consequence") or node.child_by_field_name("body")
        branch: Node = [tree.LAST, [*typed, self.value(first)]]
        other = self.value(node.child_by_field_name("alternative"))
        return [tree.LAST, [*kept, test, [tree.ALTERNATIVES, [branch, [tree.LAST, [*given, other]]]]]]

    def _case(self, node: Syntax) -> Node:
        """A `case`: what is compared has the class of a branch there."""
        written, line = node.child_by_field_name("value"), line_of(node)
        name = text_of(written) if written is not None and text_of(written) in self._locals else ""
        branches: list[Node | None] = []
        for part in (child for child in named(node) if child.type in ("when", "else")):
            patterns = [one for child in named(part) if child.type == "pattern" for one in named(child)]
            start: list[Node | None] = [self.value(one) for one in patterns]
            if name and len(patterns) == 1 and patterns[0].type in ("constant", "scope_resolution"):
                start.append([tree.LET, [tree.BIND, name], [tree.NAMED, path_of(patterns[0]), []], None, False, line])
            elif name and part.type == "else":
                start.append([tree.LET, [tree.BIND, name], None, [tree.NAME, f"{name} {line}", line], False, line])
            body = part if part.type == "else" else part.child_by_field_name("body")
            branches.append([tree.LAST, [*start, self.value(body) if part.type == "when" else self._body(part)]])
        if not name:
            return [tree.LAST, [self.value(written), [tree.ALTERNATIVES, branches]]]
        kept: Node = [tree.LET, [tree.BIND, f"{name} {line}"], None, [tree.NAME, name, line], False, line]
        return [tree.LAST, [kept, [tree.ALTERNATIVES, branches]]]

    def _rescue(self, node: Syntax) -> Node:
        types = [
            path_of(part)
            for part in named(node.child_by_field_name("exceptions"))
            if part.type in ("constant", "scope_resolution")
        ]
        variable = node.child_by_field_name("variable")
        start: list[Node | None] = []
        if variable is not None and named(variable):
            type_ = [tree.NAMED, types[0], []] if len(types) == 1 else None
            start.append([tree.LET, self._target(named(variable)[0]), type_, None, False, line_of(node)])
        return [tree.LAST, [*start, self.value(node.child_by_field_name("body"))]]

    def _for(self, node: Syntax) -> Node:
        pattern, value = node.child_by_field_name("pattern"), node.child_by_field_name("value")
        each: Node = [
            tree.LET,
            self._target(pattern) if pattern is not None else [tree.ANY],
            None,
            self.value(named(value)[0] if named(value) else None),
            True,
            line_of(node),
        ]
        return [tree.SEVERAL, [each, self.value(node.child_by_field_name("body"))]]

    def _return(self, node: Syntax) -> Node:
        values = [self.value(one) for part in named(node) for one in named(part)]
        return [tree.SEVERAL, [[tree.RETURN, values[0] if len(values) == 1 else [tree.PARTS, values]]]]


def _declares(node: Syntax) -> bool:
    """Return whether a condition of a class or file has declarations in it."""
    kinds = ("method", "singleton_method", "class", "module", "singleton_class")
    return any(
        child.type in kinds or (child.type in ("then", "else", "elsif", "begin") and _declares(child))
        for child in named(node)
    )


def _tested(node: Syntax) -> Iterator[tuple[str, list[str]]]:
    """Yield variables whose class a condition asks, and the class."""
    if node.type == "call" and text_of(node.child_by_field_name("method")) in ("is_a?", "kind_of?", "instance_of?"):
        receiver, parts = node.child_by_field_name("receiver"), named(node.child_by_field_name("arguments"))
        if (
            receiver is not None
            and receiver.type == "identifier"
            and parts
            and parts[0].type in ("constant", "scope_resolution")
        ):
            yield text_of(receiver), path_of(parts[0])
    elif node.type == "binary" and text_of(node.child_by_field_name("operator")) in ("&&", "and"):
        for child in named(node):
            yield from _tested(child)
