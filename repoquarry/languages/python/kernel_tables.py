"""Tables of Python and its frameworks for the resolution kernel.

A model name may be followed by a colon and an operand: `copy elements: deque` builds a deque of the elements of its arguments. The
names are those of `begin` in `kernel/semantics/external/library_models.cpp`, `iteration_models.cpp`, `semantics/values/container_calls.cpp`
and `container_methods.cpp`.

A table by the package that a decorator or function comes from and the last part, or the last two parts, of its dotted name, so that it
is the same whether a framework is outside the repository (`flask.Flask.route`) or is the repository (`flask.sansio.scaffold.Scaffold.route`),
and whatever re-exports it. Nothing is decided by a name alone: `unittest.mock.patch` is no route.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from repoquarry.languages.family import LanguageFeature
from repoquarry.languages.python import library_models
from repoquarry.languages.python.library_models import attributes_of, builtin_names, builtin_types, is_type
from repoquarry.languages.python.module_resolution import STANDARD_MODULES

#: kind of container -> dotted name of its type
CONTAINER_TYPES = {
    "list": "builtins.list",
    "tuple": "builtins.tuple",
    "set": "builtins.set",
    "frozenset": "builtins.frozenset",
    "dict": "builtins.dict",
    "defaultdict": "collections.defaultdict",
    "ordered dict": "collections.OrderedDict",
    "deque": "collections.deque",
    "generator": "builtins.generator",
    "coroutine": "builtins.coroutine",
    "awaitable": "asyncio.Future",
    "queue": "queue.Queue",
    "async queue": "asyncio.Queue",
    "namespace": "argparse.Namespace",
}

#: kinds of containers that keep their elements by key
MAPPINGS = ("dict", "defaultdict", "ordered dict", "namespace")

_BEHAVIOURS = {
    "super": "builtins.super",
    "property": "builtins.property",
    "static method": "builtins.staticmethod",
    "class method": "builtins.classmethod",
    "partial": "functools.partial functools.partialmethod",
    "type of": "builtins.type",
    "read attribute": "builtins.getattr",
    "store attribute": "builtins.setattr builtins.object.__setattr__",
    "import module": "importlib.import_module builtins.__import__",
    "cast": "typing.cast",
    "type variable": "typing.TypeVar typing_extensions.TypeVar",
    "create": "builtins.object.__new__",
    "await": "asyncio.run asyncio.AbstractEventLoop.run_until_complete",
    "pass on": "asyncio.wait_for asyncio.shield types.MappingProxyType dataclasses.replace copy.replace attr.evolve attrs.evolve",
    # containers
    "iterate": "builtins.iter",
    "next": "builtins.next",
    "map": "builtins.map",
    "filter": "builtins.filter itertools.takewhile itertools.dropwhile itertools.filterfalse",
    "zip": "builtins.zip itertools.zip_longest",
    "enumerate": "builtins.enumerate",
    "dict: dict": "builtins.dict weakref.WeakValueDictionary weakref.WeakKeyDictionary",
    "dict: ordered dict": "collections.OrderedDict",
    "dict: namespace": "argparse.Namespace types.SimpleNamespace",
    "default dict": "collections.defaultdict",
    "pick": "builtins.min builtins.max",
    "sort": "builtins.sorted",
    "reduce": "functools.reduce",
    "make: awaitable": "asyncio.Future concurrent.futures.Future",
    "make: queue": " ".join(
        f"{module}.{name}"
        for module in ("queue", "multiprocessing")
        for name in ("Queue", "LifoQueue", "PriorityQueue", "SimpleQueue", "JoinableQueue")
    ),
    "make: async queue": "asyncio.Queue asyncio.LifoQueue asyncio.PriorityQueue asyncio.SimpleQueue asyncio.JoinableQueue",
    "copy elements: list": "builtins.list",
    "copy elements: tuple": "builtins.tuple",
    "copy elements: set": "builtins.set weakref.WeakSet",
    "copy elements: frozenset": "builtins.frozenset",
    "copy elements: generator": "builtins.reversed itertools.chain heapq.merge",
    "copy elements: deque": "collections.deque",
    # iterators, choices
    "elements: 0": "itertools.islice itertools.cycle itertools.compress random.choices random.sample random.Random.choices "
    "random.Random.sample asyncio.as_completed concurrent.futures.as_completed",
    "elements: 1": "heapq.nlargest heapq.nsmallest",
    "group": "itertools.groupby",
    # what something outside calls by itself
    "field: default_factory": "dataclasses.field pydantic.Field pydantic.fields.Field",
    "field: factory": "attr.ib attr.attrib attr.field attrs.field",
    "call later": "concurrent.futures.Executor.submit concurrent.futures.ThreadPoolExecutor.submit "
    "concurrent.futures.ProcessPoolExecutor.submit asyncio.to_thread asyncio.AbstractEventLoop.call_soon "
    "asyncio.AbstractEventLoop.call_soon_threadsafe",
    "call later: 1": "asyncio.AbstractEventLoop.run_in_executor asyncio.AbstractEventLoop.call_later asyncio.AbstractEventLoop.call_at",
    "call with each later": "concurrent.futures.Executor.map concurrent.futures.ThreadPoolExecutor.map "
    "concurrent.futures.ProcessPoolExecutor.map multiprocessing.Pool.map multiprocessing.Pool.imap multiprocessing.Pool.imap_unordered "
    "multiprocessing.pool.ThreadPool.map multiprocessing.pool.ThreadPool.imap",
    "wait for": "asyncio.ensure_future asyncio.create_task asyncio.TaskGroup.create_task asyncio.AbstractEventLoop.create_task",
    "start: target": "threading.Thread multiprocessing.Process",
    "start: function": "threading.Timer",
    # special methods
    "ask: __len__": "builtins.len",
    "ask: __str__": "builtins.str builtins.print",
    "ask: __repr__": "builtins.repr",
    "ask: __format__": "builtins.format",
    "ask: __bool__": "builtins.bool",
    "ask: __int__": "builtins.int",
    "ask: __float__": "builtins.float",
    "ask: __bytes__": "builtins.bytes",
    "ask: __hash__": "builtins.hash",
    "ask: __abs__": "builtins.abs",
    "ask: __round__": "builtins.round",
    # loading by name
    "load": "django.utils.module_loading.import_string werkzeug.utils.import_string scrapy.utils.misc.load_object "
    "celery.utils.imports.symbol_by_name kombu.utils.imports.symbol_by_name pkgutil.resolve_name pydoc.locate hydra.utils.get_class",
}
#: outside function -> what it does
BEHAVIOURS = {name: does for does, names in _BEHAVIOURS.items() for name in names.split()}

#: special method that a built-in function asks for -> the one that it asks for where there is none
ASKED_INSTEAD = {
    "__str__": "__repr__",
    "__format__": "__str__",
    "__bool__": "__len__",
    "__int__": "__index__",
    "__float__": "__index__",
}

_MODELED_METHODS = {
    "append": "append add appendleft push put put_nowait set_result",
    "insert": "insert",
    "extend": "extend extendleft",
    "update": "update subtract",
    "get": "get",
    "take": "pop popleft get_nowait __getitem__",
    "take or set": "setdefault",
    "take pair": "popitem",
    "sort": "sort",
    "values": "values",
    "items": "items",
    "keys": "keys",
    "join": "union symmetric_difference",
    "result": "result",
    "same": "copy __iter__ __reversed__ difference intersection",
}
#: method of a container -> what it does to the container it is called on
CONTAINER_METHODS = {name: does for does, names in _MODELED_METHODS.items() for name in names.split()}


def _kinds(route: str = "", command: str = "", hook: str = "", fixture: str = "") -> dict[str, str]:
    """Name -> kind, of names separated by white space."""
    named = {"route": route, "command": command, "hook": hook, "fixture": fixture}
    return {name: kind for kind, names in named.items() for name in names.split()}


_METHODS = "get post put delete patch head options trace"
_FLASK = _kinds(
    route=f"route websocket add_url_rule {_METHODS}",
    command="command group",
    hook="errorhandler app_errorhandler register_error_handler before_request after_request teardown_request before_app_request "
    "after_app_request teardown_app_request teardown_appcontext context_processor app_context_processor template_filter template_test "
    "template_global app_template_filter app_template_test app_template_global url_value_preprocessor url_defaults "
    "shell_context_processor connect connect_via user_loader request_loader",
)
_STARLETTE = _kinds(
    route=f"route api_route websocket websocket_route add_route add_api_route add_websocket_route Route WebSocketRoute APIRoute {_METHODS}",
    hook="on_event exception_handler add_exception_handler middleware add_event_handler",
)
_CELERY = _kinds(hook="task shared_task periodic_task connect")
_PYTEST = _kinds(fixture="fixture yield_fixture", hook="hookimpl")

FRAMEWORKS: Mapping[str, Mapping[str, str]] = {
    "aiohttp": _kinds(
        route=" ".join(f"web.{name} RouteTableDef.{name}" for name in ("route", "view", *_METHODS.split()))
        + " add_route add_get add_post add_put add_delete add_patch add_head add_view"
    ),
    "apscheduler": _kinds(hook="scheduled_job add_job"),
    "asyncio": _kinds(hook="add_signal_handler add_reader add_writer add_done_callback"),
    "atexit": _kinds(hook="register"),
    "blinker": _kinds(hook="connect connect_via"),
    "bottle": _kinds(route=f"route error {_METHODS}", hook="hook"),
    "celery": _CELERY,
    "click": _kinds(command="command group", hook="result_callback"),
    "dash": _kinds(hook="callback"),
    "discord": _kinds(command="command", hook="event listen"),
    "django": _kinds(
        route="urls.path urls.re_path urls.url conf.path conf.re_path conf._path",
        hook="receiver connect register Library.tag Library.filter Library.simple_tag Library.simple_block_tag Library.inclusion_tag "
        "register_lookup",
    ),
    "dramatiq": _kinds(hook="actor"),
    "fastapi": _STARLETTE,
    "flask": _FLASK,
    "flask_login": _FLASK,
    "huey": _kinds(hook="task periodic_task"),
    "invoke": _kinds(command="task"),
    "litestar": _kinds(route=f"route websocket {_METHODS}"),
    "ninja": _kinds(route=f"api_operation {_METHODS}", hook="exception_handler"),
    "nox": _kinds(command="session"),
    "pluggy": _kinds(hook="HookimplMarker"),
    "prefect": _kinds(hook="flow task"),
    "pydispatch": _kinds(hook="connect"),
    "pyramid": _kinds(route="view_config add_view", hook="subscriber add_subscriber"),
    "pytest": _PYTEST,
    "_pytest": _PYTEST,
    "pytest_asyncio": _PYTEST,
    "quart": _FLASK,
    "rest_framework": _kinds(route="api_view action register"),
    "rq": _kinds(hook="job"),
    "sanic": _kinds(route=f"route websocket add_route {_METHODS}", hook="listener middleware exception"),
    "scrapy": _kinds(hook="connect"),
    "signal": _kinds(hook="signal"),
    "socketio": _kinds(hook="on event"),
    "sqlalchemy": _kinds(hook="listens_for listen"),
    "starlette": _STARLETTE,
    "tornado": _kinds(route="url URLSpec", hook="add_done_callback add_handler add_future"),
    "typer": _kinds(command="command callback"),
}


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
    "attribute_by_name": "getattr",
    "missing": "default",
    "arguments": "args",
    "keyword_arguments": "kwargs",
    "special_prefix": "__",
    "in_place_prefix": "__i",
    "reflected_prefix": "__r",
    "hidden_prefix": "_",
}
FEATURES = LanguageFeature.CALLABLE_INSTANCES | LanguageFeature.STAR_IMPORTS_BIND

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
def build_kernel_tables() -> dict[str, tuple[str, ...]]:
    """All tables."""
    rows: dict[str, Iterable[str]] = {
        "either": library_models.EITHER,
        "first": library_models.FIRST,
        "class_types": library_models.CLASS,
        "containers": _pairs(library_models.CONTAINERS),
        "untyped": _UNTYPED,
        "lowered": ("Text", "str", "AnyStr", "str"),
        "type_modules": ("typing.", "typing_extensions."),
        "plain_types": library_models.PLAIN_TYPES,
        "transparent": library_models.TRANSPARENT,
        "properties": library_models.PROPERTIES,
        "property_endings": ("cached_property", "classproperty"),
        "text_types": ("builtins.str", "builtins.bytes"),
        "text_methods": library_models.STR_METHODS_STR,
        "elements": _pairs(library_models.ELEMENTS),
        "results": _pairs(library_models.RESULTS),
        "builtins": builtin_names(),
        "builtin_types": [name for name in builtin_types() if is_type(name)],
        "builtin_attributes": list(_attributes()),
        "container_types": _pairs(CONTAINER_TYPES),
        "mappings": MAPPINGS,
        "behaviours": _pairs(BEHAVIOURS),
        "container_methods": _pairs(CONTAINER_METHODS),
        "asked_instead": _pairs(ASKED_INSTEAD),
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
        "enumerations": library_models.ENUMERATIONS,
        "empty_types": library_models.NAMESPACES,
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
