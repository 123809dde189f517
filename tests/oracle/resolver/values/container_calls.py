"""Built-in functions and methods that make, fill, copy and walk containers."""

from __future__ import annotations

from functools import partial

from repoquarry.ingest.resolution.model import SolverBudget
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.calls.arguments import NOTHING, Arguments
from tests.oracle.resolver.outside import world as outside
from tests.oracle.resolver.outside.outside_calls import OutsideCalls
from tests.oracle.resolver.program import Program

#: functions that make a container of a kind from the elements of what they are given
_COPYING = {
    "builtins.list": "list",
    "builtins.tuple": "tuple",
    "builtins.set": "set",
    "builtins.frozenset": "frozenset",
    "builtins.reversed": "generator",
    "collections.deque": "deque",
    "itertools.chain": "generator",
    "weakref.WeakSet": "set",
}


class ContainerCalls(OutsideCalls):
    """Adds what the built-in containers do."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        self.behaviours |= {
            "builtins.iter": self._iter,
            "builtins.next": self._next,
            "builtins.map": self._map,
            "builtins.filter": self._filter,
            "builtins.zip": self._zip,
            "builtins.enumerate": self._enumerate,
            "builtins.dict": self._dict,
            "builtins.dict.fromkeys": self._from_keys,
            "collections.OrderedDict.fromkeys": self._from_keys,
            "collections.defaultdict": self._defaultdict,
            "collections.ChainMap": self._chain_map,
            "collections.Counter": self._counter,
            "builtins.min": self._pick,
            "builtins.max": self._pick,
            "builtins.sorted": self._sorted,
            "functools.reduce": self._reduce,
            "asyncio.gather": self._gather,
        }
        for name in ("WeakValueDictionary", "WeakKeyDictionary"):
            self.behaviours[f"weakref.{name}"] = self._dict
        self.behaviours["collections.OrderedDict"] = partial(self._dict, kind="ordered dict")
        for name, kind in _COPYING.items():
            self.behaviours[name] = partial(self._copy_elements, kind=kind)
        for name in ("asyncio.Future", "concurrent.futures.Future"):
            self.behaviours[name] = self._future
        for name in ("Queue", "LifoQueue", "PriorityQueue", "SimpleQueue", "JoinableQueue"):
            for module in ("queue", "multiprocessing"):
                self.behaviours[f"{module}.{name}"] = partial(self._new_queue, kind="queue")
            self.behaviours[f"asyncio.{name}"] = partial(self._new_queue, kind="async queue")

    def _made(self, place: int, kind: str, target: int) -> int:
        number = self.objects.get(ob.CONTAINER, place, name=kind)
        self.container(number)
        self.put(target, number)
        return number

    def _copy_elements(self, place: int, arguments: Arguments, target: int, kind: str = "list") -> None:
        number = self._made(place, kind, target)
        for variable in arguments.positional:
            self.listen(variable, self._on_copy_elements, self.element(number, "*"), target)

    def _on_copy_elements(self, held: int, element: int, target: int) -> None:
        self.iterate(held, element)

    def _sorted(self, place: int, arguments: Arguments, target: int) -> None:
        self._copy_elements(place, arguments, target)
        self._compare(place, arguments)

    def _compare(self, place: int, arguments: Arguments) -> None:
        """`key=` is called with each element."""
        if (function := arguments.keywords.get("key")) is not None:
            element = self.variable()
            if len(arguments.positional) == 1:
                self.listen(arguments.positional[0], self._on_each, element)
            else:
                for variable in arguments.positional:
                    self.flow(variable, element)
            self._callback(place, function, [element], self.ignored)

    def _reduce(self, place: int, arguments: Arguments, target: int) -> None:
        if len(arguments.positional) >= 2:
            element = self.variable()
            self.listen(arguments.positional[1], self._on_each, element)
            for variable in (element, *arguments.positional[2:3]):
                self.flow(variable, target)
            self._callback(place, arguments.positional[0], [target, element], target)

    def _gather(self, place: int, arguments: Arguments, target: int) -> None:
        found = self.objects.get(ob.CONTAINER, place, name="tuple")
        for position, variable in enumerate(arguments.positional):
            self.listen(variable, self.settle_awaitable, self.element(found, str(position)))
        for _, variable in arguments.splats:
            inner = self.variable()
            self.listen(variable, self._on_each, inner)
            self.listen(inner, self.settle_awaitable, self.element(found, "*"))
        self.put(self.element(self._made(place, "awaitable", target), "*"), found)

    def _future(self, place: int, arguments: Arguments, target: int) -> None:
        self._made(place, "awaitable", target)

    def _new_queue(self, place: int, arguments: Arguments, target: int, kind: str) -> None:
        self._made(place, kind, target)

    def _iter(self, place: int, arguments: Arguments, target: int) -> None:
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_iter, target, place)

    def _on_iter(self, held: int, target: int, place: int) -> None:
        if self.objects.kind[held] == ob.INSTANCE:
            for variable in self.class_variables(self.objects.a[held], "__iter__"):
                self.listen_call(variable, held, place, NOTHING, target, "implicit")
        else:
            self.put(target, held)

    def _next(self, place: int, arguments: Arguments, target: int) -> None:
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_next_of, target, place)
        for variable in arguments.positional[1:2]:
            self.flow(variable, target)

    def _on_next_of(self, held: int, target: int, place: int) -> None:
        if self.objects.kind[held] == ob.INSTANCE:
            for variable in self.class_variables(self.objects.a[held], "__next__"):
                self.listen_call(variable, held, place, NOTHING, target, "implicit")
        else:
            self.iterate(held, target)

    def _callback(self, place: int, function: int, given: list[int], result: int) -> None:
        self.listen_call(function, -1, place, Arguments(tuple(given)), result, "callback")

    def _map(self, place: int, arguments: Arguments, target: int) -> None:
        number = self._made(place, "generator", target)
        for position, function in enumerate(arguments.positional):
            given = []
            for other in arguments.positional[:position] + arguments.positional[position + 1 :]:
                element = self.variable()
                self.listen(other, self._on_each, element)
                given.append(element)
            self._callback(place, function, given, self.element(number, "*"))

    def _filter(self, place: int, arguments: Arguments, target: int) -> None:
        number = self._made(place, "generator", target)
        for variable in arguments.positional[1:2]:
            self.listen(variable, self._on_each, self.element(number, "*"))
            self._callback(place, arguments.positional[0], [self.element(number, "*")], self.ignored)

    def _zip(self, place: int, arguments: Arguments, target: int) -> None:
        pair = self.objects.get(ob.CONTAINER, place, name="tuple")
        for position, variable in enumerate(arguments.positional):
            self.listen(variable, self._on_each, self.element(pair, str(position)))
        self.put(self.element(self._made(place, "generator", target), "*"), pair)

    def _enumerate(self, place: int, arguments: Arguments, target: int) -> None:
        pair = self.objects.get(ob.CONTAINER, place, name="tuple")
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_each, self.element(pair, "1"))
        self.put(self.element(self._made(place, "generator", target), "*"), pair)

    def _dict(self, place: int, arguments: Arguments, target: int, kind: str = "dict") -> None:
        self._fill(self._made(place, kind, target), arguments)

    def _fill(self, number: int, arguments: Arguments) -> None:
        """A mapping takes what its constructor is given."""
        for name, variable in arguments.keywords.items():
            self.flow(variable, self.element(number, repr(name)))
        for variable in (*arguments.positional[:1], *arguments.mappings):
            self.listen(variable, self._on_update, number)

    def _on_update(self, held: int, number: int) -> None:
        """A mapping or an iterable of pairs is added to a mapping."""
        if self.is_mapping(held):
            self._on_spread(held, number)
        else:
            pair = self.variable()
            self.iterate(held, pair)
            self.listen(pair, self._on_pair, number)

    def _on_pair(self, held: int, number: int) -> None:
        if self.objects.kind[held] == ob.CONTAINER:
            self.read_element(held, "1", self.element(number, "*"))
            self.read_element(held, "0", self.keys(number))

    def _defaultdict(self, place: int, arguments: Arguments, target: int) -> None:
        number = self._made(place, "defaultdict", target)
        for variable in arguments.positional[:1]:
            self._callback(place, variable, [], self.element(number, "*"))
        self._fill(number, Arguments(arguments.positional[1:], (), arguments.keywords, arguments.mappings))

    def _from_keys(self, place: int, arguments: Arguments, target: int) -> None:
        number = self._made(place, "dict", target)
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_each, self.keys(number))
        for variable in arguments.positional[1:2]:
            self.flow(variable, self.element(number, "*"))

    def _chain_map(self, place: int, arguments: Arguments, target: int) -> None:
        number = self._made(place, "chain map", target)
        for variable in arguments.positional:
            self.listen(variable, self._on_update, number)

    def _counter(self, place: int, arguments: Arguments, target: int) -> None:
        number = self._made(place, "counter", target)
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_each, self.keys(number))

    def _pick(self, place: int, arguments: Arguments, target: int) -> None:
        self._compare(place, arguments)
        if len(arguments.positional) == 1:
            self.listen(arguments.positional[0], self._on_each, target)
        else:
            for variable in arguments.positional:
                self.flow(variable, target)

    # ---- methods of built-in types

    def call_builtin_method(self, held: int, place: int, arguments: Arguments, target: int, how: str) -> None:
        name, receiver = self.objects.name[held], self.objects.b[held]
        if name.startswith("property."):
            self._property_method(receiver, arguments, target)
            return
        self.note_outside(place, name, how)
        method = name.rpartition(".")[2]
        if self.objects.kind[receiver] == ob.CONTAINER:
            self._container_method(receiver, method, place, arguments, target)
        elif (behaviour := self.behaviours.get(name)) is not None:
            behaviour(place, arguments, target)
        elif (result := outside.result_type(name)) is not None:
            self.put(target, self.objects.get(ob.RESULT, name=result))
        elif self.objects.kind[receiver] == ob.GENERATOR and method in ("__next__", "send", "__anext__"):
            self.iterate(receiver, target)
        elif method == "__new__":
            self.new_instance(place, arguments, target)
        elif method == "__setattr__":
            self.store_on(receiver, arguments)
        elif method in ("__enter__", "copy"):
            self.put(target, receiver)

    def _property_method(self, receiver: int, arguments: Arguments, target: int) -> None:
        self.put(target, receiver)
        for variable in arguments.positional[:1]:
            self.listen(variable, self._on_setter, receiver)

    def _on_setter(self, held: int, receiver: int) -> None:
        if self.objects.kind[held] == ob.FUNCTION:
            parameters = self.program.functions[self.objects.a[held]].parameters
            if len(parameters) > 1:
                self.setters.setdefault(receiver, []).append(parameters[1][1])

    def _container_method(self, held: int, method: str, place: int, arguments: Arguments, target: int) -> None:
        given = arguments.positional
        if method in ("append", "add", "appendleft", "push", "put", "put_nowait", "set_result"):
            for variable in given[:1]:
                self.flow(variable, self.element(held, "*"))
        elif method == "insert":
            for variable in given[1:2]:
                self.flow(variable, self.element(held, "*"))
        elif method in ("extend", "extendleft"):
            for variable in given[:1]:
                self.listen(variable, self._on_each, self.element(held, "*"))
        elif method in ("update", "subtract", "new_child"):
            self._update(held, method, arguments, target)
        elif method == "get" and self.objects.name[held] == "async queue":
            self.read_elements(held, self.element(self._made(place, "awaitable", target), "*"))
        elif method in ("pop", "get", "setdefault", "popleft", "__getitem__"):
            self._take(held, method, arguments, target)
        elif method == "popitem":
            self.put(target, self._pair(held, place))
        elif method == "sort":
            element = self.variable()
            self.read_elements(held, element)
            self._compare(place, Arguments((element, element), keywords=arguments.keywords))
        elif method in ("values", "items", "keys", "elements", "most_common"):
            self._view(held, method, place, target)
        elif method in ("union", "symmetric_difference"):
            self._copy_elements(place, Arguments(given), target, "set")
            self.read_elements(held, self.element(self.objects.get(ob.CONTAINER, place, name="set"), "*"))
        elif method == "get_nowait" or (method == "result" and self.objects.name[held] == "awaitable"):
            self.read_elements(held, target)
        elif method in ("copy", "__iter__", "__reversed__", "difference", "intersection"):
            self.put(target, held)

    def _update(self, held: int, method: str, arguments: Arguments, target: int) -> None:
        for variable in arguments.positional if self.objects.name[held] == "set" else arguments.positional[:1]:
            if self.objects.name[held] == "counter":
                self.listen(variable, self._on_each, self.keys(held))
            else:
                self.listen(variable, self._on_update if self.is_mapping(held) else self._on_spread, held)
        for name, variable in arguments.keywords.items():
            self.flow(variable, self.element(held, repr(name)))
        if method == "new_child":
            self.put(target, held)

    def _take(self, held: int, method: str, arguments: Arguments, target: int) -> None:
        given = arguments.positional
        if self.is_mapping(held) and given:
            self.read_element_by(held, given[0], target)
            for variable in given[1:2]:
                self.flow(variable, target)
                if method == "setdefault":
                    self.store_element_by(held, given[0], variable)
        else:
            self.read_elements(held, target)

    def _view(self, held: int, method: str, place: int, target: int) -> None:
        number = self._made(place, "list", target)
        if method == "values":
            self.read_elements(held, self.element(number, "*"))
        elif method in ("items", "most_common"):
            self.put(self.element(number, "*"), self._pair(held, place))
        else:
            self.iterate(held, self.element(number, "*"))

    def _pair(self, held: int, place: int) -> int:
        """The tuple of a key and an element of a mapping."""
        pair = self.objects.get(ob.CONTAINER, place, name="tuple")
        self.iterate(held, self.element(pair, "0"))
        self.read_elements(held, self.element(pair, "1"))
        return pair
