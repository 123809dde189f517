"""Tree-sitter parser of Python, numbers of its node kinds, and selection of significant child nodes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import tree_sitter_python
from tree_sitter import Language, Node, Parser, Tree

GRAMMAR = Language(tree_sitter_python.language())


@cache
def kind(name: str) -> int:
    """Return the number of a named node kind."""
    number = GRAMMAR.id_for_node_kind(name, True)
    if number is None:
        raise LookupError(f"the Python grammar has no node kind {name!r}")
    return number


def token(text: str) -> int:
    """Return the number of an anonymous node kind (a keyword or punctuation)."""
    number = GRAMMAR.id_for_node_kind(text, False)
    if number is None:
        raise LookupError(f"the Python grammar has no token {text!r}")
    return number


IDENTIFIER = kind("identifier")
ATTRIBUTE = kind("attribute")
CALL = kind("call")
STRING = kind("string")
CONCATENATED_STRING = kind("concatenated_string")
INTERPOLATION = kind("interpolation")
FORMAT_SPECIFIER = kind("format_specifier")
INTEGER = kind("integer")
NONE = kind("none")
TUPLE = kind("tuple")
LIST = kind("list")
SUBSCRIPT = kind("subscript")
SLICE = kind("slice")
PARENTHESIZED = kind("parenthesized_expression")
EXPRESSION_LIST = kind("expression_list")
PATTERN_LIST = kind("pattern_list")
TUPLE_PATTERN = kind("tuple_pattern")
LIST_PATTERN = kind("list_pattern")
LIST_SPLAT = kind("list_splat")
LIST_SPLAT_PATTERN = kind("list_splat_pattern")
DICTIONARY_SPLAT = kind("dictionary_splat")
DICTIONARY_SPLAT_PATTERN = kind("dictionary_splat_pattern")
KEYWORD_ARGUMENT = kind("keyword_argument")
GENERATOR_EXPRESSION = kind("generator_expression")
PAIR = kind("pair")
TYPE = kind("type")
GENERIC_TYPE = kind("generic_type")
FOR_IN_CLAUSE = kind("for_in_clause")
IF_CLAUSE = kind("if_clause")
AS_PATTERN = kind("as_pattern")
AS_PATTERN_TARGET = kind("as_pattern_target")
BLOCK = kind("block")
COMMENT = kind("comment")
LINE_CONTINUATION = kind("line_continuation")
EXPRESSION_STATEMENT = kind("expression_statement")
ELIF_CLAUSE = kind("elif_clause")
ELSE_CLAUSE = kind("else_clause")
EXCEPT_CLAUSE = kind("except_clause")
FINALLY_CLAUSE = kind("finally_clause")
CASE_CLAUSE = kind("case_clause")
DECORATOR = kind("decorator")
FUNCTION_DEFINITION = kind("function_definition")
KEYWORD_SEPARATOR = kind("keyword_separator")
POSITIONAL_SEPARATOR = kind("positional_separator")
TYPE_PARAMETER = kind("type_parameter")
PARAMETERS = kind("parameters")
LAMBDA = kind("lambda")
LAMBDA_PARAMETERS = kind("lambda_parameters")
ARGUMENT_LIST = kind("argument_list")
RAISE_STATEMENT = kind("raise_statement")
ELLIPSIS = kind("ellipsis")
DOTTED_NAME = kind("dotted_name")
ALIASED_IMPORT = kind("aliased_import")
RELATIVE_IMPORT = kind("relative_import")
WILDCARD_IMPORT = kind("wildcard_import")
NOT_OPERATOR = kind("not_operator")
BOOLEAN_OPERATOR = kind("boolean_operator")
BINARY_OPERATOR = kind("binary_operator")

ASYNC = token("async")
FROM = token("from")
EQUALS = token("=")
ARROW = token("->")
AND = token("and")

_parser = Parser(GRAMMAR)


def parse(source: bytes) -> Tree:
    """The syntax tree of UTF-8 source. One parser a process: workers are processes, and a parse is never interleaved."""
    return _parser.parse(source)


INSIGNIFICANT = frozenset((COMMENT, LINE_CONTINUATION))


def significant(node: Node) -> list[Node]:
    """The children that mean something: comments and backslashes at the end of a line can occur between any two."""
    return [child for child in node.children if child.kind_id not in INSIGNIFICANT]


def named(node: Node) -> list[Node]:
    """Return the children that are more than keywords and punctuation, without comments and continued lines."""
    return [child for child in node.named_children if child.kind_id not in INSIGNIFICANT]


def first_named(nodes: Iterable[Node]) -> Node | None:
    """Return the first of them."""
    for node in nodes:
        if node.is_named and node.kind_id not in INSIGNIFICANT:
            return node
    return None


def operands(node: Node) -> tuple[list[Node], bool]:
    """Operands of a chain of one boolean operator, in order, and whether that operator is `and`.

    The grammar nests such a chain to the left, as deep as it is long.
    """
    found: list[Node] = []
    left, sign, right = significant(node)
    kind = sign.kind_id
    while True:
        found.append(right)
        if left.kind_id != BOOLEAN_OPERATOR:
            break
        inner, other, nearer = significant(left)
        if other.kind_id != kind:
            break
        left, right = inner, nearer
    return [left, *reversed(found)], kind == AND
