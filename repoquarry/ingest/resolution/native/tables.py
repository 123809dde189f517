"""What the kernel is told of Python and of the world outside the repository, as tables of texts.

The order of `tables()` is that of `Table` in `kernel/program/tables.h`, the order of `PROTOCOLS` that of `Protocol` there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from repoquarry.ingest.resolution import outside
from repoquarry.ingest.resolution.frameworks import FRAMEWORKS
from repoquarry.ingest.resolution.python_builtins import attributes_of, builtin_names, builtin_types, is_type

#: the names that Python gives to what operations do
PROTOCOLS = (
    "__iter__", "__aiter__", "__next__", "__anext__", "__getitem__", "__setitem__", "__call__", "__get__", "__new__", "__init__",
    "__post_init__", "__await__", "__enter__", "__aenter__", "__exit__", "__aexit__", "__class__", "__mro__", "__func__", "__self__",
    "metaclass", "setter", "getter", "deleter", "property", "builtins", "builtins.NoneType", "builtins.str", "functools.wraps",
    "typing.Self", "typing.TypeVar", "builtins.object", "send", "copy", "__setattr__", "__mod__", "fget", "key", "bound",
)  # fmt: skip

#: outside function -> what it does (`kernel/semantics/outside_calls.cpp`, `container_calls.cpp`)
BEHAVIOURS = {
    "builtins.super": "super",
    "builtins.property": "property",
    "builtins.staticmethod": "static method",
    "builtins.classmethod": "class method",
    "functools.partial": "partial",
    "functools.partialmethod": "partial",
    "builtins.type": "type of",
    "builtins.getattr": "read attribute",
    "builtins.setattr": "store attribute",
    "importlib.import_module": "import module",
    "builtins.__import__": "import module",
    "typing.cast": "cast",
    "typing.TypeVar": "type variable",
    "typing_extensions.TypeVar": "type variable",
    "builtins.object.__new__": "create",
    "builtins.object.__setattr__": "store attribute",
    "asyncio.run": "await",
    "asyncio.wait_for": "pass on",
    "asyncio.shield": "pass on",
    "asyncio.ensure_future": "pass on",
    "asyncio.create_task": "pass on",
    "builtins.iter": "iterate",
    "builtins.next": "next",
    "builtins.map": "map",
    "builtins.filter": "filter",
    "builtins.zip": "zip",
    "builtins.enumerate": "enumerate",
    "builtins.dict": "dict",
    "collections.OrderedDict": "dict",
    "collections.defaultdict": "default dict",
    "builtins.min": "pick",
    "builtins.max": "pick",
    "builtins.sorted": "sort",
    "functools.reduce": "reduce",
    "asyncio.gather": "gather",
    "builtins.list": "copy elements",
    "builtins.tuple": "copy elements",
    "builtins.set": "copy elements",
    "builtins.frozenset": "copy elements",
    "builtins.reversed": "copy elements",
    "collections.deque": "copy elements",
    "itertools.chain": "copy elements",
    "asyncio.Future": "future",
    "concurrent.futures.Future": "future",
    "queue.Queue": "queue",
    "queue.LifoQueue": "queue",
    "queue.SimpleQueue": "queue",
    "asyncio.Queue": "queue",
    "multiprocessing.Queue": "queue",
}

#: what a method does to the container it is called on -> the methods that do it
_METHODS = {
    "append": ("append", "add", "appendleft", "push", "put", "put_nowait", "set_result"),
    "insert": ("insert",),
    "extend": ("extend", "extendleft"),
    "update": ("update",),
    "take": ("pop", "get", "popleft", "popitem", "__getitem__"),
    "take or set": ("setdefault",),
    "sort": ("sort",),
    "values": ("values",),
    "items": ("items",),
    "keys": ("keys",),
    "all": ("get_nowait",),
    "result": ("result",),
    "same": ("copy", "__iter__", "union", "difference", "intersection"),
}
CONTAINER_METHODS = {name: does for does, names in _METHODS.items() for name in names}

#: kind of container -> its type, where that is not a built-in of the kind's name
CONTAINER_TYPES = {
    "awaitable": "asyncio.Future",
    "queue": "queue.Queue",
    "generator": "builtins.generator",
    "coroutine": "builtins.coroutine",
}
_COMPARISONS = ("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__", "__contains__")
_GIVE_THE_LEFT = ("__add__", "__iadd__", "__or__", "__ior__", "__mul__", "__mod__")
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
def tables() -> tuple[tuple[str, ...], ...]:
    """All tables."""
    rows: tuple[Iterable[str], ...] = (
        PROTOCOLS,
        outside._EITHER,
        outside._FIRST,
        outside._CLASS,
        outside._LISTS,
        outside._DICTS,
        outside._GENERATORS,
        outside._AWAITABLES,
        ("Tuple", "tuple"),
        _UNTYPED,
        ("Text", "str", "AnyStr", "str"),
        ("typing.", "typing_extensions."),
        outside.PLAIN_TYPES,
        outside._TRANSPARENT,
        outside._PROPERTIES,
        ("cached_property", "classproperty"),
        ("builtins.str", "builtins.bytes"),
        outside._STR_METHODS_STR,
        _pairs(outside._ELEMENTS),
        _pairs(outside._RESULTS),
        builtin_names(),
        [name for name in builtin_types() if is_type(name)],
        list(_attributes()),
        _pairs(CONTAINER_TYPES),
        _pairs(BEHAVIOURS),
        _pairs(CONTAINER_METHODS),
        _COMPARISONS,
        _GIVE_THE_LEFT,
        ("__iter__", "__aiter__", "__next__", "__getitem__"),
        ("__iter__",),
        ("__enter__", "__aenter__"),
        ("__getitem__",),
        _EMPTY_BASES,
        ("builtins.", "typing.", "abc.", "enum."),
        ("NamedTuple", "BaseModel", "Struct"),
        ("builtins.staticmethod", "builtins.classmethod"),
        ("enum.",),
        ("typing.Protocol", "typing_extensions.Protocol"),
        ("Protocol",),
        ("setattr", "__setattr__"),
        ("isinstance", "issubclass", "super", "cast"),
        ("TestCase",),
        _pairs({f"{package}/{name}": kind for package, names in FRAMEWORKS.items() for name, kind in names.items()}),
    )
    return tuple(tuple(row) for row in rows)
