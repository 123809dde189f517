"""What is known of the world outside the repository: built-ins and the parts of the standard library through which values pass.

Everything here is a table of behaviours by dotted name. A name that is not in it is simply an external: calls to it are edges, and what
it gives is not known.
"""

from __future__ import annotations

from repoquarry.ingest.resolution.python_builtins import attributes_of, is_builtin, is_type

_TYPING = ("typing.", "typing_extensions.", "collections.abc.", "collections.", "t.")
_EITHER = {"Optional", "Union"}
_FIRST = {"Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "InitVar", "Type_", "Unpack"}
_CLASS = {"Type", "type"}
_LISTS = {
    "List",
    "Sequence",
    "MutableSequence",
    "Iterable",
    "Collection",
    "list",
    "KeysView",
    "ValuesView",
}
_SETS = {"Set", "FrozenSet", "AbstractSet", "MutableSet", "set", "frozenset", "WeakSet"}
_DEQUES = {"Deque", "deque"}
_QUEUES = {"Queue", "LifoQueue", "PriorityQueue", "SimpleQueue", "JoinableQueue"}
_DICTS = {
    "Dict",
    "Mapping",
    "MutableMapping",
    "DefaultDict",
    "OrderedDict",
    "ChainMap",
    "dict",
    "defaultdict",
    "ItemsView",
}
_GENERATORS = {
    "Iterator",
    "Generator",
    "AsyncIterator",
    "AsyncGenerator",
    "AsyncIterable",
    "AbstractContextManager",
    "AbstractAsyncContextManager",
    "ContextManager",
    "AsyncContextManager",
    "Reversible",
}
#: awaiting an instance gives the last of the types in the brackets
_AWAITABLES = {"Awaitable", "Coroutine", "Future", "Task"}

#: functions that give back the function they are given: as decorators, or called with options first
_TRANSPARENT = {
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
_PROPERTIES = {
    "builtins.property",
    "functools.cached_property",
    "abc.abstractproperty",
    "enum.property",
    "types.DynamicClassAttribute",
}
_ENUMERATIONS = {
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
_NAMESPACES = {"argparse.Namespace", "types.SimpleNamespace"}
_STR_METHODS_STR = {
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
_ELEMENTS = {"builtins.str": "builtins.str", "builtins.bytes": "builtins.int", "builtins.range": "builtins.int"}
_RESULTS = {
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
}


def may_have(name: str, attribute: str) -> bool:
    """Whether instances of an outside type may have an attribute: known of the built-in types, assumed of others."""
    if not name.startswith("builtins."):
        return name not in _NAMESPACES
    return attribute in attributes_of(name.rpartition(".")[2])


def canonical_type(name: str) -> str | None:
    """The outside class that a type expression names; None where it says nothing (`Any`)."""
    last = name.rpartition(".")[2]
    if last in (
        "Any",
        "object",
        "TypeVar",
        "ParamSpec",
        "Callable",
        "Literal",
        "NoReturn",
        "Never",
        "Hashable",
        "Protocol",
        "Generic",
    ):
        return None
    if last == "Self":
        return "typing.Self"
    if name.startswith(("typing.", "typing_extensions.")):
        lower = {"Text": "str", "AnyStr": "str"}.get(last, last.lower())
        return f"builtins.{lower}" if is_builtin(lower) else name
    return name


def generic_role(name: str) -> str:
    """What the brackets mean after a generic type: `either`, `first`, `class`, `awaitable`, a container kind, or nothing."""
    last = name.rpartition(".")[2]
    if last in ("Tuple", "tuple"):
        return "tuple"
    for names, role in (
        (_EITHER, "either"),
        (_FIRST, "first"),
        (_CLASS, "class"),
        (_LISTS, "list"),
        (_SETS, "set"),
        (_DEQUES, "deque"),
        (_QUEUES, "async queue" if name.startswith("asyncio.") else "queue"),
        (_DICTS, "dict"),
        ({"Counter"}, "counter"),
        (_GENERATORS, "generator"),
        (_AWAITABLES, "awaitable"),
    ):
        if last in names:
            return role
    return ""


def element_of(name: str) -> str | None:
    """The type of the elements of an outside type."""
    return _ELEMENTS.get(name)


def awaited(name: str) -> str | None:
    """What awaiting an instance of an outside type gives."""
    return None


def is_property(name: str) -> bool:
    """Whether the outside decorator makes a property."""
    return name in _PROPERTIES or name.endswith(("cached_property", "classproperty"))


def is_enumeration(name: str) -> bool:
    """Whether the outside class makes enumerations of the classes below it."""
    return name.rpartition(".")[2] in _ENUMERATIONS


def is_transparent(name: str) -> bool:
    """Whether a call of the outside function gives back what it is given."""
    return name in _TRANSPARENT


def result_type(name: str) -> str | None:
    """The outside type whose instance a call of an outside callable gives, None when it is not known."""
    if name in _RESULTS:
        return _RESULTS[name]
    owner, _, last = name.rpartition(".")
    if owner in ("builtins.str", "builtins.bytes") and last in _STR_METHODS_STR:
        return "builtins.str" if owner == "builtins.str" else owner
    if owner == "builtins":
        return name if is_type(last) else None
    if last[:1].isupper() and not last.isupper():
        return name
    return None
