"""Functions of the standard library that walk containers or hand out their elements: itertools, heapq, bisect, random, futures."""

from __future__ import annotations

from functools import partial

from repoquarry.ingest.resolution.model import Budget
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.arguments import Arguments
from tests.oracle.resolver.container_calls import ContainerCalls
from tests.oracle.resolver.program import Program

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


class LibraryCalls(ContainerCalls):
    """Adds what the standard library does with containers."""

    def __init__(self, program: Program, budget: Budget) -> None:
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
