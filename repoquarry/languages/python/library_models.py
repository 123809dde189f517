"""Models of built-ins and standard library functions.

`scripts/generate_builtins.py` writes the table. A name counts as built in if any of these versions has it: which one an analysed
repository runs on is not known.

Everything here is a table by dotted name or by the last part of it; `tables.py` hands all to the kernel. A name that is not in
it is simply an external: calls to it are edges, and what it gives is not known.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec


class _Type(msgspec.Struct, frozen=True):
    bases: list[str]
    attributes: dict[str, str]
    """Attribute of its own -> version in which it came."""


class _Table(msgspec.Struct, frozen=True):
    names: dict[str, str]
    """Name -> version in which it came."""
    types: dict[str, _Type]


@cache
def _table() -> _Table:
    return msgspec.json.decode(Path(__file__).with_name("builtins.json").read_bytes(), type=_Table)


def builtin_names() -> list[str]:
    """Names that Python itself defines."""
    return list(_table().names)


def builtin_types() -> list[str]:
    """Built-in types of which the attributes are known, also `generator` and `coroutine`."""
    return list(_table().types)


def is_builtin(name: str) -> bool:
    """Whether Python itself defines the name."""
    return name in _table().names


def is_type(name: str) -> bool:
    """Whether the built-in of this name is a class."""
    return name in _table().types and is_builtin(name)


@cache
def attributes_of(name: str) -> frozenset[str]:
    """What instances of a built-in type have, inherited attributes included; also of `generator` and `coroutine`. Empty for
    anything that is no such type."""
    found = _table().types.get(name)
    return frozenset(found.attributes).union(*map(attributes_of, found.bases)) if found else frozenset()


EITHER = {"Optional", "Union"}
FIRST = {"Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "InitVar", "Type_", "Unpack"}
CLASS = {"Type", "type"}
_CONTAINERS = {
    "list": "List Sequence MutableSequence Iterable Collection list KeysView ValuesView",
    "tuple": "Tuple tuple",
    "set": "Set FrozenSet AbstractSet MutableSet set frozenset WeakSet",
    "deque": "Deque deque",
    "queue": "Queue LifoQueue PriorityQueue SimpleQueue JoinableQueue",
    "async queue": "asyncio.Queue asyncio.LifoQueue asyncio.PriorityQueue asyncio.queues.Queue",
    "dict": "Dict Mapping MutableMapping DefaultDict OrderedDict ChainMap Counter dict defaultdict ItemsView",
    "generator": "Iterator Generator AsyncIterator AsyncGenerator AsyncIterable AbstractContextManager AbstractAsyncContextManager "
    "ContextManager AsyncContextManager Reversible",
    # awaiting an instance gives the last of the types in the brackets
    "awaitable": "Awaitable Coroutine Future Task",
}
#: name of a generic type, dotted or the last part -> the kind of container that its instances are
CONTAINERS = {name: kind for kind, names in _CONTAINERS.items() for name in names.split()}

#: functions that give back the function they are given: as decorators, or called with options first
TRANSPARENT = {
    "functools.lru_cache",
    "functools.cache",
    "functools.update_wrapper",
    "functools.total_ordering",
    "functools.singledispatch",
    "contextlib.contextmanager",
    "contextlib.asynccontextmanager",
    "dataclasses.dataclass",
    "typing.overload",
    "typing.final",
    "typing.no_type_check",
    "typing.runtime_checkable",
    "typing.cast",
    "typing_extensions.overload",
    "abc.abstractmethod",
    "asyncio.coroutine",
    "types.coroutine",
    "copy.copy",
    "copy.deepcopy",
    "atexit.register",
    "inspect.unwrap",
    "weakref.ref_",
    "weakref.proxy",
    "enum.unique",
}
#: types that nothing else is taken for
PLAIN_TYPES = {"builtins.str", "builtins.bytes", "builtins.int", "builtins.float", "builtins.bool"}
PROPERTIES = {
    "builtins.property",
    "functools.cached_property",
    "abc.abstractproperty",
    "enum.property",
    "types.DynamicClassAttribute",
}
#: outside classes, by the last part of their names, that make enumerations of the classes below them
ENUMERATIONS = {
    "Enum",
    "IntEnum",
    "StrEnum",
    "ReprEnum",
    "Flag",
    "IntFlag",
    "TextChoices",
    "IntegerChoices",
    "Choices",
}
#: types that have nothing but what is stored in them
NAMESPACES = {"argparse.Namespace", "types.SimpleNamespace"}
STR_METHODS_STR = {
    "capitalize",
    "casefold",
    "center",
    "expandtabs",
    "format",
    "format_map",
    "join",
    "ljust",
    "lower",
    "lstrip",
    "removeprefix",
    "removesuffix",
    "replace",
    "rjust",
    "rstrip",
    "strip",
    "swapcase",
    "title",
    "translate",
    "upper",
    "zfill",
    "decode",
    "encode",
    "hex",
}
ELEMENTS = {"builtins.str": "builtins.str", "builtins.bytes": "builtins.int", "builtins.range": "builtins.int"}
RESULTS = {
    "builtins.input": "builtins.str",
    "builtins.repr": "builtins.str",
    "builtins.str": "builtins.str",
    "builtins.chr": "builtins.str",
    "builtins.format": "builtins.str",
    "builtins.ascii": "builtins.str",
    "builtins.hex": "builtins.str",
    "builtins.len": "builtins.int",
    "builtins.ord": "builtins.int",
    "builtins.id": "builtins.int",
    "builtins.hash": "builtins.int",
    "builtins.isinstance": "builtins.bool",
    "builtins.issubclass": "builtins.bool",
    "builtins.callable": "builtins.bool",
    "builtins.hasattr": "builtins.bool",
    "builtins.any": "builtins.bool",
    "builtins.all": "builtins.bool",
    "builtins.open": "io.TextIOWrapper",
    "os.getcwd": "builtins.str",
    "os.path.join": "builtins.str",
    "os.path.abspath": "builtins.str",
    "os.path.basename": "builtins.str",
    "os.path.dirname": "builtins.str",
    "os.path.normpath": "builtins.str",
    "os.path.realpath": "builtins.str",
    "os.path.expanduser": "builtins.str",
    "os.path.relpath": "builtins.str",
    "re.compile": "re.Pattern",
    "re.match": "re.Match",
    "re.search": "re.Match",
    "re.fullmatch": "re.Match",
    "re.sub": "builtins.str",
    "re.Pattern.match": "re.Match",
    "re.Pattern.search": "re.Match",
    "re.Pattern.fullmatch": "re.Match",
    "re.Pattern.sub": "builtins.str",
    "re.Match.group": "builtins.str",
    "json.dumps": "builtins.str",
    "logging.getLogger": "logging.Logger",
    "builtins.bytes.decode": "builtins.str",
    "builtins.str.encode": "builtins.bytes",
    "threading.current_thread": "threading.Thread",
    "subprocess.run": "subprocess.CompletedProcess",
    "asyncio.get_event_loop": "asyncio.AbstractEventLoop",
    "asyncio.get_running_loop": "asyncio.AbstractEventLoop",
    "asyncio.new_event_loop": "asyncio.AbstractEventLoop",
}
