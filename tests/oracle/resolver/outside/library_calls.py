"""Functions of the standard library that walk containers or hand out their elements: itertools, heapq, bisect, random, futures."""

from __future__ import annotations

from functools import partial

from repoquarry.ingest.resolution.model import SolverBudget
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.calls.arguments import NOTHING, Arguments
from tests.oracle.resolver.program import Program
from tests.oracle.resolver.values.container_calls import ContainerCalls

#: functions that give an iterator over elements of an argument -> its position
_PASSING = {
    "itertools.islice": 0,
    "itertools.cycle": 0,
    "itertools.compress": 0,
    "heapq.nlargest": 1,
    "heapq.nsmallest": 1,
    "random.choices": 0,
    "random.sample": 0,
    "random.Random.choices": 0,
    "random.Random.sample": 0,
    "asyncio.as_completed": 0,
    "concurrent.futures.as_completed": 0,
}
#: functions that give tuples of elements of their arguments
_COMBINING = ("product", "combinations", "combinations_with_replacement", "permutations", "pairwise", "batched")


#: functions that are given one that something outside calls, behind how many arguments of their own
_CALLING_LATER = {
    "concurrent.futures.Executor.submit": 0,
    "concurrent.futures.ThreadPoolExecutor.submit": 0,
    "concurrent.futures.ProcessPoolExecutor.submit": 0,
    "asyncio.to_thread": 0,
    "asyncio.AbstractEventLoop.call_soon": 0,
    "asyncio.AbstractEventLoop.call_soon_threadsafe": 0,
    "asyncio.AbstractEventLoop.run_in_executor": 1,
    "asyncio.AbstractEventLoop.call_later": 1,
    "asyncio.AbstractEventLoop.call_at": 1,
}
_MAPPING_LATER = (
    "concurrent.futures.Executor.map",
    "concurrent.futures.ThreadPoolExecutor.map",
    "concurrent.futures.ProcessPoolExecutor.map",
    "multiprocessing.Pool.map",
    "multiprocessing.Pool.imap",
    "multiprocessing.Pool.imap_unordered",
    "multiprocessing.pool.ThreadPool.map",
    "multiprocessing.pool.ThreadPool.imap",
)
_TASKS = (
    "asyncio.ensure_future",
    "asyncio.create_task",
    "asyncio.TaskGroup.create_task",
    "asyncio.AbstractEventLoop.create_task",
)
#: functions that make a field of a data class -> the keyword of what makes its first value
_FIELDS = {
    "dataclasses.field": "default_factory",
    "pydantic.Field": "default_factory",
    "pydantic.fields.Field": "default_factory",
    "attr.ib": "factory",
    "attr.attrib": "factory",
    "attr.field": "factory",
    "attrs.field": "factory",
}
#: built-in functions -> the special method that they ask for
_ASKING = {
    name: f"__{name}__"
    for name in ("len", "str", "repr", "format", "bool", "int", "float", "bytes", "hash", "abs", "round")
} | {"print": "__str__"}
_ASKED_INSTEAD = {
    "__str__": "__repr__",
    "__format__": "__str__",
    "__bool__": "__len__",
    "__int__": "__index__",
    "__float__": "__index__",
}


def _rest(arguments: Arguments) -> Arguments:
    """Without the first positional argument."""
    splats = tuple((max(at - 1, 0), variable) for at, variable in arguments.splats)
    return Arguments(arguments.positional[1:], splats, arguments.keywords, arguments.mappings)


class LibraryCalls(ContainerCalls):
    """Adds what the standard library does with containers."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        self.behaviours |= {
            "itertools.zip_longest": self._zip,
            "itertools.chain.from_iterable": self._flatten,
            "itertools.repeat": self._repeat,
            "itertools.starmap": self._starmap,
            "itertools.accumulate": self._accumulate,
            "itertools.tee": self._tee,
            "itertools.groupby": self._group,
            "heapq.merge": partial(self._copy_elements, kind="generator"),
            "heapq.heappop": self._take_any,
            "random.choice": self._take_any,
            "random.Random.choice": self._take_any,
            "types.MappingProxyType": self._pass_on,
        }
        for name in ("takewhile", "dropwhile", "filterfalse"):
            self.behaviours[f"itertools.{name}"] = self._filter
        for name in ("heappush", "heappushpop", "heapreplace"):
            self.behaviours[f"heapq.{name}"] = partial(self._put_in, takes=name != "heappush")
        for name in ("insort", "insort_left", "insort_right"):
            self.behaviours[f"bisect.{name}"] = self._put_in
        for name, position in _PASSING.items():
            self.behaviours[name] = partial(self._pass_elements, position=position)
        for name in _COMBINING:
            self.behaviours[f"itertools.{name}"] = self._combine
        for name in ("closing", "aclosing", "nullcontext"):
            self.behaviours[f"contextlib.{name}"] = self._repeat
        for name in ("ExitStack", "AsyncExitStack"):
            self.behaviours[f"contextlib.{name}.enter_context"] = self._enter_argument
        for name, keyword in _FIELDS.items():
            self.behaviours[name] = partial(self._make_field, keyword=keyword)
        for name in ("attr.Factory", "attrs.Factory"):
            self.behaviours[name] = self._call_for_value
        for name, behind in _CALLING_LATER.items():
            self.behaviours[name] = partial(self._call_later, behind=behind)
        for name in _MAPPING_LATER:
            self.behaviours[name] = self._call_with_each_later
        for name in _TASKS:
            self.behaviours[name] = self._wait_for
        for name in ("threading.Thread", "multiprocessing.Process"):
            self.beside[name] = partial(self._start_thread, keyword="target")
        self.beside["threading.Timer"] = partial(self._start_thread, keyword="function")
        for name, method in _ASKING.items():
            self.beside[f"builtins.{name}"] = partial(self._ask, method=method)

    def _enter_argument(self, place: int, arguments: Arguments, target: int) -> None:
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_enter, target)

    # ---- what something outside calls by itself

    def _call_elsewhere(self, function: int, given: Arguments, result: int) -> None:
        self.listen_call(function, -1, -2 - self.variable(), given, result, "callback")

    def _make_field(self, place: int, arguments: Arguments, target: int, keyword: str) -> None:
        value, maker = arguments.keywords.get("default"), arguments.keywords.get(keyword)
        if value is not None:
            self.flow(value, target)
        if maker is not None:
            self._call_elsewhere(maker, Arguments(), target)

    def _call_for_value(self, place: int, arguments: Arguments, target: int) -> None:
        for variable in arguments.positional[:1]:
            self._call_elsewhere(variable, Arguments(), target)

    def _call_later(self, place: int, arguments: Arguments, target: int, behind: int) -> None:
        for _ in range(behind):
            arguments = _rest(arguments)
        if arguments.positional:
            result = self.element(self._made(place, "awaitable", target), "*")
            self._call_elsewhere(arguments.positional[0], _rest(arguments), result)

    def _call_with_each_later(self, place: int, arguments: Arguments, target: int) -> None:
        if not arguments.positional:
            return
        number = self._made(place, "generator", target)
        elements = []
        for variable in arguments.positional[1:]:
            element = self.variable()
            self.listen(variable, self._on_each, element)
            elements.append(element)
        self._call_elsewhere(arguments.positional[0], Arguments(tuple(elements)), self.element(number, "*"))

    def _wait_for(self, place: int, arguments: Arguments, target: int) -> None:
        number = self._made(place, "awaitable", target)
        for variable in arguments.positional[:1]:
            self.listen(variable, self.settle_awaitable, self.element(number, "*"))

    def _start_thread(self, place: int, arguments: Arguments, target: int, keyword: str) -> None:
        function = arguments.keywords.get(keyword, next(iter(arguments.positional[1:2]), None))
        if function is None:
            return
        positions, mapping = arguments.keywords.get("args"), arguments.keywords.get("kwargs")
        splats = ((0, positions),) if positions is not None else ()
        given = Arguments((), splats, mappings=(mapping,) if mapping is not None else ())
        self._call_elsewhere(function, given, self.ignored)

    # ---- built-in functions that call a special method

    def _ask(self, place: int, arguments: Arguments, target: int, method: str) -> None:
        for variable in arguments.positional:
            self.listen(variable, self._on_asked, place, self.name_number(method))

    def _on_asked(self, held: int, place: int, number: int) -> None:
        if self.objects.kind[held] != ob.INSTANCE:
            return
        method = self._name_list[number]
        methods = self.class_variables(self.objects.a[held], method)
        if not methods and method in _ASKED_INSTEAD:
            self._on_asked(held, place, self.name_number(_ASKED_INSTEAD[method]))
        for variable in methods:
            self.listen_call(variable, held, place, NOTHING, self.ignored, "implicit")

    # ---- iterators, heaps, choices

    def _pass_elements(self, place: int, arguments: Arguments, target: int, position: int) -> None:
        number = self._made(place, "list", target)
        for variable in arguments.positional[position : position + 1]:
            self.listen(variable, self._on_each, self.element(number, "*"))

    def _combine(self, place: int, arguments: Arguments, target: int) -> None:
        combined = self.objects.get(ob.CONTAINER, place, name="tuple")
        for variable in arguments.positional:
            self.listen(variable, self._on_each, self.element(combined, "*"))
        self.put(self.element(self._made(place, "generator", target), "*"), combined)

    def _flatten(self, place: int, arguments: Arguments, target: int) -> None:
        element, inner = self.element(self._made(place, "generator", target), "*"), self.variable()
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_each, inner)
        self.listen(inner, self._on_each, element)

    def _repeat(self, place: int, arguments: Arguments, target: int) -> None:
        number = self._made(place, "generator", target)
        for variable in arguments.positional[:1]:
            self.flow(variable, self.element(number, "*"))

    def _starmap(self, place: int, arguments: Arguments, target: int) -> None:
        number = self._made(place, "generator", target)
        if len(arguments.positional) == 2:
            given = self.variable()
            self.listen(arguments.positional[1], self._on_each, given)
            spread = Arguments((), ((0, given),))
            self.listen_call(arguments.positional[0], -1, place, spread, self.element(number, "*"), "callback")

    def _accumulate(self, place: int, arguments: Arguments, target: int) -> None:
        element = self.element(self._made(place, "generator", target), "*")
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_each, element)
        for variable in arguments.positional[1:2]:
            self._callback(place, variable, [element, element], element)

    def _tee(self, place: int, arguments: Arguments, target: int) -> None:
        number = self._made(place, "tuple", target)
        for variable in arguments.positional[:1]:
            self.flow(variable, self.element(number, "*"))

    def _group(self, place: int, arguments: Arguments, target: int) -> None:
        """Pairs of what `key` gives, or the element itself, and an iterator over the elements of the group."""
        pair = self.objects.get(ob.CONTAINER, place, name="tuple")
        group = self.objects.get(ob.CONTAINER, place, name="list")
        self.put(self.element(pair, "1"), group)
        element = self.element(group, "*")
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_each, element)
        key = next(iter(arguments.positional[1:2]), arguments.keywords.get("key"))
        if key is None:
            self.flow(element, self.element(pair, "0"))
        else:
            self._callback(place, key, [element], self.element(pair, "0"))
        self.put(self.element(self._made(place, "generator", target), "*"), pair)

    def _take_any(self, place: int, arguments: Arguments, target: int) -> None:
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_each, target)

    def _put_in(self, place: int, arguments: Arguments, target: int, *, takes: bool = False) -> None:
        """A container and a value that becomes an element of it; what comes back is any element where one is taken out."""
        if len(arguments.positional) >= 2:
            container, value = arguments.positional[:2]
            self.listen(container, self._on_put_in, value)
            if takes:
                self.flow(value, target)
                self.listen(container, self._on_each, target)

    def _on_put_in(self, held: int, value: int) -> None:
        if self.objects.kind[held] == ob.CONTAINER:
            self.flow(value, self.element(held, "*"))
