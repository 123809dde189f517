"""What a language says of its world, laid out as the kernel takes it: tables of texts by position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from repoquarry.languages.family import PointsTo

#: in the order of `LanguageProtocol` in `kernel/program/language_tables.h`
PROTOCOLS = (
    "iterate", "iterate_later", "next", "next_later", "get_item", "set_item", "call", "get", "create", "initialise", "initialised",
    "subclassed", "await", "enter", "enter_later", "exit", "exit_later", "class_of", "resolution_order", "function", "receiver", "metaclass",
    "setter", "getter", "deleter", "property", "builtins", "no_value", "text", "wraps", "self_type", "type_variable", "object",
    "send", "copy", "set_attribute", "modulo", "field_getter", "key", "bound", "member_value", "directory", "attribute_by_name",
    "parser", "parents", "missing", "bare", "option_name",
    "separator", "most_cuts", "arguments", "keyword_arguments", "prototype", "whole", "by_default", "interface", "generic_base",
    "result_type", "made_type",
    "guarded_first", "type_parameters", "type_defaults", "result_value",
)  # fmt: skip

#: in the order of `TableId` there, without the first one, which holds the protocols
TABLES = (
    "either", "first", "class_types", "containers", "untyped", "lowered", "type_modules", "plain_types", "transparent", "properties",
    "property_endings", "text_types", "text_methods", "elements", "results", "builtins", "builtin_types", "builtin_attributes",
    "container_types", "mappings", "behaviours", "container_methods", "parser_methods", "text_cuts", "comparisons", "give_the_left",
    "leave_elements", "each_methods", "unpack_methods", "enter_methods", "item_methods", "empty_bases", "plain_bases", "field_bases",
    "descriptor_bases", "enumerations", "empty_types", "protocol_bases", "protocol_names", "attribute_setters", "asking", "importing",
    "standard_modules", "test_bases", "frameworks", "function_methods", "type_members", "callback_types", "asked_instead", "parameter_types",
)  # fmt: skip


def laid_out(method: PointsTo) -> list[Sequence[str]]:
    """All tables of a language.

    Raises: ValueError where it names a protocol or a table that the kernel does not know.
    """
    tables = method.tables()
    _refuse_unknown("protocol", method.protocols, PROTOCOLS)
    _refuse_unknown("table", tables, TABLES)
    # a name that no source can contain stands for what the language does not have
    protocols = [method.protocols.get(operation, f"<{operation}>") for operation in PROTOCOLS]
    return [protocols, *(tables.get(name, ()) for name in TABLES)]


def _refuse_unknown(what: str, given: Mapping[str, object], known: Sequence[str]) -> None:
    for name in given:
        if name not in known:
            raise ValueError(f"the kernel knows no {what} {name!r}; known: {', '.join(known)}")
