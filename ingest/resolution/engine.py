"""The fixpoint: variables, what they hold, and the flow between them.

Only what is asked for is computed. A variable is `demanded` when something needs to know what it holds: then the operations that assign
to it are read, which demands the variables that they take from. Flows into a variable that nobody demands are only noted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from ingest import constraints as op
from ingest.resolution.model import Budget
from ingest.resolution.objects import CONSTANT, Container, Objects
from ingest.resolution.program import Program, Unit

#: called with (object, *operands) for each new object of the variable it listens to
Listener = Callable[..., None]

#: propagated facts allowed for each variable of the program, and at least
STEPS_PER_VARIABLE, MINIMUM_STEPS = 40, 2_000_000

#: beyond so many targets of one variable, looking for a repeated one costs more than repeating it
MANY = 64
#: a variable with so many objects tells constants apart no longer
MANY_CONSTANTS = 12


class Engine:
    """Worklist solver. Subclasses give the operations their meaning through `assigns`, one method by opcode."""

    def __init__(self, program: Program, budget: Budget) -> None:
        self.program = program
        self.objects = Objects()
        count = program.variables
        self.holds: list[set[int] | None] = [None] * count
        self.flows: list[list[int] | None] = [None] * count
        self.listeners: list[list[tuple[Listener, tuple[int, ...]]] | None] = [None] * count
        self.demanded = bytearray(count)
        self.waiting: dict[int, list[int]] = {}
        """Variable nobody demands -> variables that flow into it."""
        self.waiting_elements: dict[int, list[tuple[int, str]]] = {}
        """Variable nobody demands -> (variable of a container, key) of elements that flow into it."""
        self.containers: dict[int, Container] = {}
        self.queue: deque[tuple[int, Iterable[int]]] = deque()
        self._agenda: list[int] = []
        self._reading = False
        self.calls: list[tuple[Listener, tuple[int, ...], tuple[int, ...]]] = []
        """Listeners that have yet to be told of what a variable held when they came: told in turn, not within each other."""
        self.budget = budget
        self.steps_left = budget.steps or max(MINIMUM_STEPS, STEPS_PER_VARIABLE * count)
        self.budget_hit = False
        self.saturated: set[int] = set()
        self.assigns: dict[int, Callable[[Unit, int, int], None]] = {op.COPY: self._copy}

    # ---- variables

    def variable(self) -> int:
        """A fresh variable that is made during resolution; it has no operations."""
        self.holds.append(None)
        self.flows.append(None)
        self.listeners.append(None)
        self.demanded.append(0)
        return len(self.holds) - 1

    def demand(self, variable: int) -> None:
        """Someone needs to know what the variable holds."""
        if self.demanded[variable]:
            return
        self._agenda.append(variable)
        if self._reading:  # reading an operation demands others: they wait their turn, so that chains cost no stack
            return
        self._reading = True
        while self._agenda:
            variable = self._agenda.pop()
            if self.demanded[variable]:
                continue
            self.demanded[variable] = 1
            if variable < self.program.variables:
                self._read_operations(variable)
            for source in self.waiting.pop(variable, ()):
                self._connect(source, variable)
                self._agenda.append(source)
            if variable in self.waiting_elements:
                self.demand_elements(variable)
            held = self.holds[variable]
            if held:
                self.queue.append((variable, tuple(held)))
        self._reading = False

    def demand_elements(self, variable: int) -> None:
        """Lets the elements that wait for a variable flow into it."""
        raise NotImplementedError

    def _read_operations(self, variable: int) -> None:
        unit = self.program.unit_of_variable(variable)
        code = unit.code
        offset = unit.first[variable - unit.variables]
        while offset >= 0:
            self.assigns[code[offset]](unit, offset, variable)
            offset = code[offset + 1]

    def add(self, variable: int, objects: Iterable[int]) -> None:
        """The variable may hold these objects."""
        held = self.holds[variable]
        if held is None:
            new = set(objects)
            if not new:
                return
            self.holds[variable] = set(new)
        else:
            new = set(objects) - held
            if not new:
                return
            if len(held) + len(new) > MANY_CONSTANTS:
                new = self._widened(new) - held
                if not new:
                    return
                if len(held) + len(new) > self.budget.objects_per_variable:
                    self.saturated.add(variable)
                    return
            held |= new
        if self.demanded[variable]:
            self.queue.append((variable, new))

    def _widened(self, objects: set[int]) -> set[int]:
        """Constants without their values: nobody looks up a key among so many."""
        kind, a = self.objects.kind, self.objects.a
        return {a[one] if kind[one] == CONSTANT else one for one in objects}

    def flow(self, source: int, target: int) -> None:
        """Whatever `source` holds, `target` may hold."""
        if source == target:
            return
        if self.demanded[target]:
            self._connect(source, target)
            self.demand(source)
        else:
            self.waiting.setdefault(target, []).append(source)

    def _connect(self, source: int, target: int) -> None:
        flows = self.flows[source]
        if flows is None:
            self.flows[source] = [target]
        elif len(flows) < MANY and target in flows:
            return
        else:
            flows.append(target)
        held = self.holds[source]
        if held:
            self.add(target, held)

    def listen(self, variable: int, listener: Listener, *operands: int) -> None:
        """Calls `listener(object, *operands)` for everything the variable holds, now and later."""
        listeners = self.listeners[variable]
        if listeners is None:
            self.listeners[variable] = [(listener, operands)]
        else:
            listeners.append((listener, operands))
        if not self.demanded[variable]:
            self.demand(variable)
        elif held := self.holds[variable]:
            self.calls.append((listener, operands, tuple(held)))

    def run(self) -> None:
        """Propagates until nothing changes or the budget is spent."""
        queue, calls, flows, listeners = self.queue, self.calls, self.flows, self.listeners
        steps = self.steps_left
        while queue or calls:
            while calls:
                listener, operands, held_now = calls.pop()
                for held in held_now:
                    listener(held, *operands)
                    steps -= 1
            if not queue:
                break
            variable, new = queue.popleft()
            for target in tuple(flows[variable] or ()):
                self.add(target, new)
                steps -= 1
            for listener, operands in tuple(listeners[variable] or ()):
                for held in new:
                    listener(held, *operands)
                    steps -= 1
            if steps < 0:
                self.budget_hit = True
                queue.clear()
                calls.clear()
        self.steps_left = steps

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
            for reader in container.readers:
                self.flow(variable, reader)
        return variable

    def read_element(self, number: int, key: str, target: int) -> None:
        """The element at a constant key flows into `target`, and so does any whose key is not known."""
        self.flow(self.element(number, key), target)
        self.flow(self.element(number, "*"), target)

    def read_elements(self, number: int, target: int) -> None:
        """Every element flows into `target`, also those that come later."""
        container = self.container(number)
        if target not in container.readers:
            container.readers.append(target)
            for variable in list(container.fields.values()):
                self.flow(variable, target)

    def _copy(self, unit: Unit, offset: int, target: int) -> None:
        source = unit.variables + unit.code[offset + 2]
        self._connect(source, target)
        self.demand(source)
