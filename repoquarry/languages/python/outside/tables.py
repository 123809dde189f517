"""What the kernel is told of Python and of the world outside the repository, as tables of texts by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from repoquarry.languages.python.importing.scripts import STANDARD_MODULES
from repoquarry.languages.python.outside import behaviours, libraries
from repoquarry.languages.python.outside.builtin_names import attributes_of, builtin_names, builtin_types, is_type
from repoquarry.languages.python.outside.frameworks import FRAMEWORKS

#: the names that Python gives to what operations do
PROTOCOLS = {
    "iterate": "__iter__",
    "iterate_later": "__aiter__",
    "next": "__next__",
    "next_later": "__anext__",
    "get_item": "__getitem__",
    "set_item": "__setitem__",
    "call": "__call__",
    "get": "__get__",
    "create": "__new__",
    "initialise": "__init__",
    "initialised": "__post_init__",
    "subclassed": "__init_subclass__",
    "await": "__await__",
    "enter": "__enter__",
    "enter_later": "__aenter__",
    "exit": "__exit__",
    "exit_later": "__aexit__",
    "class_of": "__class__",
    "resolution_order": "__mro__",
    "function": "__func__",
    "receiver": "__self__",
    "metaclass": "metaclass",
    "setter": "setter",
    "getter": "getter",
    "deleter": "deleter",
    "property": "property",
    "builtins": "builtins",
    "no_value": "builtins.NoneType",
    "text": "builtins.str",
    "wraps": "functools.wraps",
    "self_type": "typing.Self",
    "type_variable": "typing.TypeVar",
    "object": "builtins.object",
    "send": "send",
    "copy": "copy",
    "set_attribute": "__setattr__",
    "modulo": "__mod__",
    "field_getter": "fget",
    "key": "key",
    "bound": "bound",
    "member_value": "value",
    "directory": "dir",
    "attribute_by_name": "getattr",
    "parser": "argparse.ArgumentParser",
    "parents": "parents",
    "missing": "default",
    "bare": "const",
    "separator": "sep",
    "most_cuts": "maxsplit",
    "arguments": "args",
    "keyword_arguments": "kwargs",
    "option_name": "dest",
}

_COMPARISONS = ("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__", "__contains__")
_GIVE_THE_LEFT = ("__add__", "__iadd__", "__or__", "__ior__", "__mul__", "__mod__")
_LEAVE_ELEMENTS = ("__sub__", "__isub__", "__and__", "__iand__", "__xor__", "__ixor__")
_EMPTY_BASES = ("builtins.object", "typing.Generic", "typing.Protocol", "abc.ABC", "abc.ABCMeta")
_UNTYPED = (
    "Any", "object", "TypeVar", "ParamSpec", "Callable", "Literal", "NoReturn", "Never", "Hashable", "Protocol", "Generic",
)  # fmt: skip


def _pairs(table: Mapping[str, str]) -> list[str]:
    return [text for pair in table.items() for text in pair]


def _attributes() -> Iterable[str]:
    for name in builtin_types():
        for attribute in sorted(attributes_of(name)):
            yield from (name, attribute)


@lru_cache(1)
def tables() -> dict[str, tuple[str, ...]]:
    """All tables."""
    rows: dict[str, Iterable[str]] = {
        "either": libraries.EITHER,
        "first": libraries.FIRST,
        "class_types": libraries.CLASS,
        "containers": _pairs(libraries.CONTAINERS),
        "untyped": _UNTYPED,
        "lowered": ("Text", "str", "AnyStr", "str"),
        "type_modules": ("typing.", "typing_extensions."),
        "plain_types": libraries.PLAIN_TYPES,
        "transparent": libraries.TRANSPARENT,
        "properties": libraries.PROPERTIES,
        "property_endings": ("cached_property", "classproperty"),
        "text_types": ("builtins.str", "builtins.bytes"),
        "text_methods": libraries.STR_METHODS_STR,
        "elements": _pairs(libraries.ELEMENTS),
        "results": _pairs(libraries.RESULTS),
        "builtins": builtin_names(),
        "builtin_types": [name for name in builtin_types() if is_type(name)],
        "builtin_attributes": list(_attributes()),
        "container_types": _pairs(behaviours.CONTAINER_TYPES),
        "mappings": behaviours.MAPPINGS,
        "behaviours": _pairs(behaviours.BEHAVIOURS),
        "container_methods": _pairs(behaviours.CONTAINER_METHODS),
        "text_cuts": _pairs(behaviours.TEXT_METHODS),
        "parser_methods": _pairs(behaviours.PARSER_METHODS),
        "asked_instead": _pairs(behaviours.ASKED_INSTEAD),
        "comparisons": _COMPARISONS,
        "give_the_left": _GIVE_THE_LEFT,
        "leave_elements": _LEAVE_ELEMENTS,
        "each_methods": ("__iter__", "__aiter__", "__next__", "__getitem__"),
        "unpack_methods": ("__iter__",),
        "enter_methods": ("__enter__", "__aenter__"),
        "item_methods": ("__getitem__",),
        "empty_bases": _EMPTY_BASES,
        "plain_bases": ("builtins.", "typing.", "abc.", "enum."),
        "field_bases": ("NamedTuple", "TypedDict", "BaseModel", "Struct"),
        "descriptor_bases": ("builtins.staticmethod", "builtins.classmethod"),
        "enumerations": libraries.ENUMERATIONS,
        "empty_types": libraries.NAMESPACES,
        "protocol_bases": ("typing.Protocol", "typing_extensions.Protocol"),
        "protocol_names": ("Protocol",),
        "attribute_setters": ("setattr", "__setattr__"),
        "asking": ("isinstance", "issubclass", "super", "cast"),
        "importing": ("import_module", "__import__"),
        "standard_modules": STANDARD_MODULES,
        "test_bases": ("TestCase",),
        "frameworks": _pairs(
            {f"{package}/{name}": kind for package, names in FRAMEWORKS.items() for name, kind in names.items()}
        ),
    }
    return {name: tuple(row) for name, row in rows.items()}
