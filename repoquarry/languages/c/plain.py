"""C: functions, macros with parameters, structures, unions, enumerations and includes.

Prototypes are no definitions: what they announce stands elsewhere.
"""

from __future__ import annotations

from repoquarry.languages.c import declarators
from repoquarry.languages.structure import Grammar, Rule, Structure, nodes


def _tagged(form: str) -> Rule:
    return Rule("class", nodes.word(form), name=declarators.with_body)


C = Structure(
    language="c",
    grammar=Grammar("tree_sitter_c"),
    definitions={
        "function_definition": Rule(
            "function",
            name=declarators.name,
            name_node=declarators.declared,
            parameters=declarators.parameters,
            head=declarators.function_declarator,
            returns=declarators.returns,
        ),
        "preproc_function_def": Rule("function", nodes.word("macro"), ends=frozenset({"preproc_arg"})),
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
        {"if_statement", "for_statement", "while_statement", "do_statement", "case_statement", "conditional_expression"}
    ),
)
