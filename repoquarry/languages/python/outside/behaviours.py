"""What functions and methods of Python's standard library do, and of what loads by name: words that the kernel knows.

A word may be followed by a colon and what it is about: `copy elements: deque` makes a deque of the elements of its arguments. The words
are those of `begin` in `kernel/semantics/outside/outside_calls.cpp`, `container_calls.cpp`, `container_methods.cpp`, `library_calls.cpp`,
`text_parts.cpp`, `command_lines.cpp` and `loading.cpp`.
"""

from __future__ import annotations

#: kind of container -> dotted name of its type
CONTAINER_TYPES = {
    "list": "builtins.list",
    "tuple": "builtins.tuple",
    "set": "builtins.set",
    "frozenset": "builtins.frozenset",
    "dict": "builtins.dict",
    "defaultdict": "collections.defaultdict",
    "ordered dict": "collections.OrderedDict",
    "chain map": "collections.ChainMap",
    "counter": "collections.Counter",
    "deque": "collections.deque",
    "generator": "builtins.generator",
    "coroutine": "builtins.coroutine",
    "awaitable": "asyncio.Future",
    "queue": "queue.Queue",
    "async queue": "asyncio.Queue",
    "argument parser": "argparse.ArgumentParser",
    "option parser": "optparse.OptionParser",
    "subparsers": "argparse._SubParsersAction",
    "argument group": "argparse._ArgumentGroup",
    "namespace": "argparse.Namespace",
}

#: kinds of containers that keep their elements by key
MAPPINGS = ("dict", "defaultdict", "ordered dict", "chain map", "counter", "namespace")

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
    "dict from keys": "builtins.dict.fromkeys collections.OrderedDict.fromkeys",
    "default dict": "collections.defaultdict",
    "chain map": "collections.ChainMap",
    "counter": "collections.Counter",
    "pick": "builtins.min builtins.max",
    "sort": "builtins.sorted",
    "reduce": "functools.reduce",
    "gather": "asyncio.gather",
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
    # iterators, heaps, choices
    "elements: 0": "itertools.islice itertools.cycle itertools.compress random.choices random.sample random.Random.choices "
    "random.Random.sample asyncio.as_completed concurrent.futures.as_completed",
    "elements: 1": "heapq.nlargest heapq.nsmallest",
    "combine": "itertools.product itertools.combinations itertools.combinations_with_replacement itertools.permutations "
    "itertools.pairwise itertools.batched",
    "flatten": "itertools.chain.from_iterable",
    # what entering a context manager gives is what it yields
    "repeat": "itertools.repeat contextlib.closing contextlib.aclosing contextlib.nullcontext",
    "call with each": "itertools.starmap",
    "accumulate": "itertools.accumulate",
    "tee": "itertools.tee",
    "group": "itertools.groupby",
    "take any": "heapq.heappop random.choice random.Random.choice",
    "put in": "heapq.heappush bisect.insort bisect.insort_left bisect.insort_right",
    "put in and take": "heapq.heappushpop heapq.heapreplace",
    # command lines
    "new parser: argument parser": "argparse.ArgumentParser",
    "new parser: option parser": "optparse.OptionParser",
    "names of: builtins.vars": "builtins.vars",
    # what something outside calls by itself
    "enter": "contextlib.ExitStack.enter_context contextlib.AsyncExitStack.enter_context",
    "field: default_factory": "dataclasses.field pydantic.Field pydantic.fields.Field",
    "field: factory": "attr.ib attr.attrib attr.field attrs.field",
    "call for value": "attr.Factory attrs.Factory",
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
    "directory": "builtins.dir",
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

_METHODS = {
    "append": "append add appendleft push put put_nowait set_result",
    "insert": "insert",
    "extend": "extend extendleft",
    "update": "update subtract",
    "update copy": "new_child",
    "get": "get",
    "take": "pop popleft __getitem__",
    "take or set": "setdefault",
    "take pair": "popitem",
    "sort": "sort",
    "values": "values",
    "items": "items most_common",
    "keys": "keys elements",
    "join": "union symmetric_difference",
    "all": "get_nowait",
    "result": "result",
    "same": "copy __iter__ __reversed__ difference intersection",
}
#: method of a container -> what it does to the container it is called on
CONTAINER_METHODS = {name: does for does, names in _METHODS.items() for name in names.split()}

#: method of a text that gives its parts -> how it cuts
TEXT_METHODS = {
    "builtins.str.split": "all",
    "builtins.str.rsplit": "all: from the end",
    "builtins.str.partition": "once",
    "builtins.str.rpartition": "once: from the end",
}

_PARSER_METHODS = {
    "add part: subparsers": "add_subparsers",
    "add part: argument group": "add_argument_group add_mutually_exclusive_group add_option_group",
    "add parser": "add_parser",
    "add argument": "add_argument add_option",
    "set defaults": "set_defaults",
    "parse": "parse_args parse_intermixed_args",
    "parse pair": "parse_known_args",
}
_PARSERS = (
    "argparse.ArgumentParser",
    "argparse._SubParsersAction",
    "argparse._ArgumentGroup",
    "argparse._MutuallyExclusiveGroup",
    "optparse.OptionParser",
    "optparse.OptionGroup",
)
#: method of a parser of command lines, or of what belongs to one -> what it does
PARSER_METHODS = {
    f"{owner}.{name}": does for owner in _PARSERS for does, names in _PARSER_METHODS.items() for name in names.split()
} | {"optparse.OptionParser.parse_args": "parse pair"}
