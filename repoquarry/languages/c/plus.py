"""C++: namespaces, classes, functions, members defined outside of their class, and includes.

Declarations without a body are no definitions, as what they announce stands elsewhere; pure virtual functions are, for nothing else
stands anywhere.
"""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages.c import declarators
from repoquarry.languages.structure import Grammar, Rule, Structure, nodes


def _namespace(node: Node) -> str:
    return nodes.field_text("name")(node).replace("::", ".").replace(" ", "")


def _form(node: Node) -> str:
    named = declarators.declared(node)
    name = declarators.name(node)
    if name.startswith("~"):
        return "destructor"
    plain = named is not None and named.type in ("identifier", "field_identifier", "qualified_identifier")
    is_constructor = plain and node.child_by_field_name("type") is None and not name.startswith("operator")
    return "constructor" if is_constructor else ""


def _bases(node: Node) -> tuple[str, ...]:
    return nodes.texts_in("base_class_clause", "access_specifier", "virtual")(node)


def _pure(node: Node) -> str:
    """The name of a pure virtual function; empty for other fields."""
    default = node.child_by_field_name("default_value")
    if default is None or nodes.text(default) != "0" or declarators.function_declarator(node) is None:
        return ""
    return declarators.name(node)


_FUNCTION = Rule(
    "function",
    _form,
    name=declarators.name,
    owner=declarators.owner,
    name_node=declarators.declared,
    parameters=declarators.parameters,
    head=declarators.function_declarator,
    returns=declarators.returns,
    ends=frozenset({"field_initializer_list", "default_method_clause", "delete_method_clause", "try_statement"}),
)


def _tagged(form: str) -> Rule:
    return Rule("class", nodes.word(form), name=declarators.with_body, bases=_bases)


CPP = Structure(
    language="cpp",
    grammar=Grammar("tree_sitter_cpp"),
    definitions={
        "function_definition": _FUNCTION,
        "field_declaration": Rule(
            "function",
            name=_pure,
            name_node=declarators.declared,
            parameters=declarators.parameters,
            head=declarators.function_declarator,
            returns=declarators.returns,
            is_abstract=lambda node: True,
        ),
        "preproc_function_def": Rule("function", nodes.word("macro"), ends=frozenset({"preproc_arg"})),
        "namespace_definition": Rule("class", nodes.word("namespace"), name=_namespace),
        "class_specifier": _tagged(""),
        "struct_specifier": _tagged("struct"),
        "union_specifier": _tagged("union"),
        "enum_specifier": _tagged("enum"),
        "type_definition": Rule(
            "class", declarators.form_of_typedef, name=declarators.named_by_typedef, name_node=declarators.declared
        ),
    },
    imports={"preproc_include": declarators.included},
    calls=frozenset({"call_expression"}),
    branches=frozenset(
        {
            *("if_statement", "for_statement", "for_range_loop", "while_statement", "do_statement", "case_statement"),
            *("conditional_expression", "catch_clause"),
        }
    ),
    wrappers=frozenset({"template_declaration"}),
)
