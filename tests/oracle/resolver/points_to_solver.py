"""The fixpoint: variables, what they hold, and the flow between them.

Only what is asked for is computed. A variable is `demanded` when something needs to know what it holds: then the operations that assign
to it are read, which demands the variables that they take from. Flows into a variable that nobody demands are only noted.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from repoquarry.ingest.resolution.model import SolverBudget
from repoquarry.languages import constraints as op
from tests.oracle.resolver.listeners import Listener, Listeners
from tests.oracle.resolver.objects import CONSTANT, METHOD, OPAQUE, RESULT, Container, Objects
from tests.oracle.resolver.program import Program, Unit

#: propagated facts allowed for each variable of the program, and at least
STEPS_PER_VARIABLE, MINIMUM_STEPS = 40, 2_000_000
#: Beyond so many propagated facts for each variable (most repositories need two or three) a variable takes no more than so many objects.
#: In such a repository everything may reach everything, as in computer algebra, and more objects would say nothing more.
PLENTY_PER_VARIABLE, FEW_OBJECTS = 2.5, 6

#: beyond so many targets of one variable they are looked up in a set
MANY = 64
#: a variable with so many objects no longer tells apart constants, nor what outside functions gave
MANY_CONSTANTS = 12
#: what calls nothing in the repository
_FAINT = (CONSTANT, RESULT, OPAQUE, METHOD)


class PointsToSolver(ABC):
    """Worklist solver. Subclasses give the operations their meaning through `assigns`, one method by opcode."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        self.program = program
        self.objects = Objects()
        count = program.variables
        self.holds: list[tuple[int, ...]] = [()] * count
        """Variable -> the objects it may hold, each once; equal variables share one tuple where they can."""
        self.flows: list[list[int] | None] = [None] * count
        self._many: dict[int, set[int]] = {}
        """Variable that flows into many -> these."""
        self.listeners = Listeners(count)
        self._wave_listeners = Listeners(count)
        """Those who are told of all new objects at once, when nothing flows any more: they hear less often, and of more."""
        self._wave: dict[int, tuple[int, ...]] = {}
        """Variable -> new objects that these have yet to be told of."""
        self.demanded = bytearray(count)
        self.final = bytearray(program.final)
        """Variables that hold what the program says and will never hold more."""
        self._waiting: dict[int, int] = {}
        """Variable nobody demands -> where in `_sources` the chain of the variables that flow into it begins."""
        self._chains = array("i")
        """Pairs: a variable, where its successor stands (-1: nowhere)."""
        self.waiting_elements: dict[int, list[tuple[int, str]]] = {}
        """Variable nobody demands -> (variable of a container, key) of elements that flow into it."""
        self.containers: dict[int, Container] = {}
        self._unsettled: deque[int] = deque()
        self._fresh: dict[int, tuple[int, ...]] = {}
        """Queued variable -> what it holds that has not been passed on yet."""
        self._agenda: list[int] = []
        self._reading = False
        self.calls: list[tuple[Listener, tuple[int, ...], tuple[Any, ...]]] = []
        """Listeners that have yet to be told of what a variable held when they came: told in turn, not within each other."""
        self.budget = budget
        self.steps_left = budget.steps or max(MINIMUM_STEPS, STEPS_PER_VARIABLE * count)
        self._plenty = self.steps_left - max(MINIMUM_STEPS, int(PLENTY_PER_VARIABLE * count))
        self.object_limit = budget.objects_per_variable
        self._crowd = MANY_CONSTANTS
        self.budget_hit = False
        self.saturated: set[int] = set()
        self.assigns: dict[int, Callable[[Unit, int, int], None]] = {op.COPY: self._copy}
        self.ignored = self.variable()
        """A variable that nobody ever demands."""

    # ---- variables

    def variable(self) -> int:
        """A fresh variable that is made during resolution; it has no operations."""
        self.holds.append(())
        self.flows.append(None)
        self.listeners.grow()
        self._wave_listeners.grow()
        self.demanded.append(0)
        self.final.append(0)
        return len(self.holds) - 1

    def demand(self, variable: int) -> None:
        """Someone needs to know what the variable holds."""
        if self.demanded[variable]:
            return
        self._agenda.append(variable)
        if self._reading:  # reading an operation demands others: they wait their turn, so that chains cost no stack
            return
        self._reading = True
        agenda, demanded, program_variables = self._agenda, self.demanded, self.program.variables
        while agenda:
            variable = agenda.pop()
            if demanded[variable]:
                continue
            demanded[variable] = 1
            if variable < program_variables:
                self._read_operations(variable)
            at = self._waiting.pop(variable, -1)
            while at >= 0:
                source, at = self._chains[at], self._chains[at + 1]
                self._connect(source, variable)
                agenda.append(source)
            if variable in self.waiting_elements:
                self.demand_elements(variable)
            if held := self.holds[variable]:
                if variable not in self._fresh:
                    self._unsettled.append(variable)
                self._fresh[variable] = held
        self._reading = False

    @abstractmethod
    def demand_elements(self, variable: int) -> None:
        """Lets the elements that wait for a variable flow into it."""

    def _read_operations(self, variable: int) -> None:
        unit = self.program.unit_of_variable(variable)
        code = unit.code
        offset = unit.first[variable - unit.variables]
        while offset >= 0:
            self.assigns[code[offset]](unit, offset, variable)
            offset = code[offset + 1]

    def put(self, variable: int, number: int) -> None:
        """The variable may hold this object."""
        held = self.holds[variable]
        if not held:
            alone = self.holds[variable] = self.objects.alone[number]
            if self.demanded[variable]:
                self._unsettled.append(variable)
                self._fresh[variable] = alone
        elif number not in held and variable not in self.saturated:
            self._extend(variable, held, self.objects.alone[number])

    def add(self, variable: int, objects: Sequence[int]) -> None:
        """The variable may hold these objects, each given once."""
        held = self.holds[variable]
        if not held:
            if len(objects) > self.object_limit:
                self._extend(variable, held, tuple(objects))
            elif objects:
                new = self.holds[variable] = tuple(objects)
                if self.demanded[variable]:
                    self._unsettled.append(variable)
                    self._fresh[variable] = new
        elif variable not in self.saturated and (new := tuple([one for one in objects if one not in held])):
            self._extend(variable, held, new)

    def _extend(self, variable: int, held: tuple[int, ...], new: tuple[int, ...]) -> None:
        if len(held) + len(new) > self._crowd:
            new = tuple([one for one in self._widened(new) if one not in held])
            if not new:
                return
            if len(held) + len(new) > self.object_limit:
                new = self._most_telling(variable, held, new)
                if not new:
                    return
        self._enlarge(variable, held, new)

    def _enlarge(self, variable: int, held: tuple[int, ...], new: tuple[int, ...]) -> None:
        self.holds[variable] = held + new
        if self.demanded[variable]:
            waiting = self._fresh.get(variable)
            if waiting is None:
                self._unsettled.append(variable)
                self._fresh[variable] = new
            else:
                self._fresh[variable] = waiting + new

    def _widened(self, objects: Iterable[int]) -> Iterable[int]:
        """Constants without their values, since nobody looks up a key among so many, and outside results without their names."""
        kind, a = self.objects.kind, self.objects.a
        unnamed = self.objects.get(OPAQUE)
        return dict.fromkeys(
            a[one]
            if kind[one] == CONSTANT and not self.names_something(one)
            else unnamed
            if kind[one] == OPAQUE
            else one
            for one in objects
        )

    @abstractmethod
    def names_something(self, number: int) -> bool:
        """Whether a constant is a text that names a definition of the repository."""

    def put_beyond_limit(self, variable: int, number: int) -> None:
        """The variable may hold this object, however many it holds already: for what the caller has bounded itself."""
        held = self.holds[variable]
        if number not in held:
            self._enlarge(variable, held, self.objects.alone[number])

    def _most_telling(self, variable: int, held: tuple[int, ...], new: tuple[int, ...]) -> tuple[int, ...]:
        """Of too many objects those of the repository, before what is only known by an outside type."""
        kind, limit = self.objects.kind, self.object_limit
        telling = tuple([one for one in new if kind[one] not in _FAINT])
        if len(telling) + sum(kind[one] not in _FAINT for one in held) <= limit:
            return telling
        self.saturated.add(variable)
        return self.overflow(held, new)

    def overflow(self, held: tuple[int, ...], new: tuple[int, ...]) -> tuple[int, ...]:
        """What a variable that holds too many objects takes instead of more of them."""
        return ()

    def flow(self, source: int, target: int) -> None:
        """Whatever `source` holds, `target` may hold."""
        if source == target:
            return
        if self.demanded[target]:
            self._connect(source, target)
            if not self.demanded[source]:
                self.demand(source)
        else:
            before = self._waiting.get(target, -1)
            self._waiting[target] = len(self._chains)
            self._chains.extend((source, before))

    def _connect(self, source: int, target: int) -> None:
        flows = self.flows[source]
        if flows is None:
            self.flows[source] = [target]
        elif len(flows) < MANY:
            if target in flows:
                return
            flows.append(target)
        elif not self._is_new_of_many(source, flows, target):
            return
        else:
            flows.append(target)
        if held := self.holds[source]:
            self.add(target, held)

    def _is_new_of_many(self, source: int, flows: list[int], target: int) -> bool:
        known = self._many.get(source)
        if known is None:
            known = self._many[source] = set(flows)
        if target in known:
            return False
        known.add(target)
        return True

    def listen(self, variable: int, listener: Listener, *operands: int) -> None:
        """Calls `listener(object, *operands)` for everything the variable holds, now and later."""
        self._listen(self.listeners, variable, listener, operands, self.holds[variable])

    def listen_together(self, variable: int, listener: Listener, *operands: int) -> None:
        """As `listen`, but calls `listener(objects, *operands)` with all new objects at once, when nothing flows any more."""
        held = self.holds[variable]
        self._listen(self._wave_listeners, variable, listener, operands, (held,) if held else ())

    def _listen(
        self, among: Listeners, variable: int, listener: Listener, operands: tuple[int, ...], told: tuple[Any, ...]
    ) -> None:
        if told and self.final[variable]:
            self.calls.append((listener, operands, told))
            return
        among.add(variable, listener, operands)
        if not self.demanded[variable]:
            self.demand(variable)
        elif told:
            self.calls.append((listener, operands, told))

    def run(self) -> None:
        """Propagates until nothing changes or the budget is spent."""
        queue, fresh, calls, flows, listeners = self._unsettled, self._fresh, self.calls, self.flows, self.listeners
        waiting, in_wave, wave = self._wave_listeners, self._wave_listeners.has, self._wave
        steps = self.steps_left
        while queue or calls or wave:
            while calls:
                listener, operands, held_now = calls.pop()
                for held in held_now:
                    listener(held, *operands)
                steps -= len(held_now)
            if not queue:
                for variable, held_now in self._end_wave():
                    steps -= waiting.tell(variable, (held_now,))
                continue
            variable = queue.popleft()
            new = fresh.pop(variable)
            if targets := flows[variable]:
                for target in tuple(targets):
                    self.add(target, new)
                steps -= len(targets)
            steps -= listeners.tell(variable, new)
            if in_wave(variable):
                wave[variable] = wave.get(variable, ()) + new
            if steps < self._plenty:
                self.object_limit = self._crowd = min(self.object_limit, FEW_OBJECTS)
            if steps < 0:
                self.budget_hit = True
                queue.clear()
                fresh.clear()
                calls.clear()
                wave.clear()
        self.steps_left = steps

    def _end_wave(self) -> list[tuple[int, tuple[int, ...]]]:
        told = list(self._wave.items())
        self._wave.clear()
        return told

    # ---- containers

    def container(self, number: int) -> Container:
        """The elements of a container object."""
        found = self.containers.get(number)
        if found is None:
            found = self.containers[number] = Container(self.objects.name[number])
        return found

    def element(self, number: int, key: str) -> int:
        """The variable of a container's element; the key `*` is that of elements at unknown places."""
        container = self.container(number)
        variable = container.fields.get(key)
        if variable is None:
            variable = container.fields[key] = self.variable()
            if container.every >= 0:
                self.flow(variable, container.every)
            self._spread_element(container, key, variable)
        return variable

    def _spread_element(self, container: Container, key: str, variable: int) -> None:
        """A new element of a mapping goes on to those that take its elements, and to those that take theirs."""
        pending = [(container, variable)]
        while pending:
            source, variable = pending.pop()
            for other in list(source.spread):
                taking = self.container(other)
                taken = taking.fields.get(key)
                if taken is None:
                    taken = taking.fields[key] = self.variable()
                    if taking.every >= 0:
                        self.flow(taken, taking.every)
                    pending.append((taking, taken))
                self.flow(variable, taken)

    def read_element(self, number: int, key: str, target: int) -> None:
        """The element at a constant key flows into `target`, and so does any whose key is not known."""
        self.flow(self.element(number, key), target)
        self.flow(self.element(number, "*"), target)

    def elements(self, number: int) -> int:
        """The variable of all elements of a container, also those that come later: one, however many read them."""
        container = self.container(number)
        if container.every < 0:
            container.every = self.variable()
            for variable in list(container.fields.values()):
                self.flow(variable, container.every)
        return container.every

    def spread(self, source: int, target: int) -> None:
        """The elements of one mapping become elements of another under the same keys, also those that come later."""
        container = self.container(source)
        if source == target or target in container.spread:
            return
        container.spread[target] = None
        for key, variable in list(container.fields.items()):
            self.flow(variable, self.element(target, key))

    def keys(self, number: int) -> int:
        """The variable of a mapping's keys that are known as values only; constants written out are keys of its elements."""
        container = self.container(number)
        if container.keys < 0:
            container.keys = self.variable()
        return container.keys

    def read_elements(self, number: int, target: int) -> None:
        """Every element flows into `target`, also those that come later."""
        self.flow(self.elements(number), target)

    def _copy(self, unit: Unit, offset: int, target: int) -> None:
        source = unit.variables + unit.code[offset + 2]
        self._connect(source, target)
        self.demand(source)
