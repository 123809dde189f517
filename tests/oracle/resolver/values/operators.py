"""Operations that call special methods: awaiting, context managers, operators."""

from __future__ import annotations

from repoquarry.ingest.resolution.model import SolverBudget
from repoquarry.languages import constraints as op
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.outside import world as outside
from tests.oracle.resolver.program import Program, Unit
from tests.oracle.resolver.values.containers import Containers

_COMPARISONS = frozenset({"__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__", "__contains__"})
#: operators that give something of the kind of a built-in left operand
_GIVE_THE_LEFT = frozenset({"__add__", "__iadd__", "__or__", "__ior__", "__mul__", "__mod__"})
#: operators that give some of the elements of a set on the left
_LEAVE_ELEMENTS = frozenset({"__sub__", "__isub__", "__and__", "__iand__", "__xor__", "__ixor__"})


class Operators(Containers):
    """Adds awaiting, context managers and operators."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        self._concatenated: set[int] = set()
        """right operands and results of additions to containers, packed"""
        self.assigns |= {
            op.AWAIT: self._await,
            op.SENT: self._sent,
            op.ENTER: self._enter,
            op.OPER: self._oper,
        }

    def _await(self, unit: Unit, offset: int, target: int) -> None:
        self.listen(unit.variables + unit.code[offset + 2], self._on_await, target)

    def _on_await(self, held: int, target: int) -> None:
        kind = self.objects.kind[held]
        if kind in (ob.COROUTINE, ob.GENERATOR):
            function = self.program.functions[self.objects.a[held]]
            self.flow(self.result_of(self.objects.a[held]), target)
            if function.declared >= 0 and kind == ob.COROUTINE:
                self.flow(function.declared, target)
        elif kind == ob.INSTANCE:
            if self.call_method(held, "__await__", self.variable(), (), site=target):
                return
        elif kind == ob.CONTAINER:
            self.read_elements(held, target)
        else:
            self.add_known(target, outside.awaited(self.type_name(held)) if kind == ob.RESULT else None)

    def _sent(self, unit: Unit, offset: int, target: int) -> None:
        self.listen(unit.variables + unit.code[offset + 2], self._on_sent, target, self.place(unit, offset))

    def _on_sent(self, held: int, target: int, place: int) -> None:
        """A generator that yields something to wait for is driven by a loop, which sends back what was waited for."""
        kind, name = self.objects.kind[held], self.objects.name[held]
        if kind in (ob.COROUTINE, ob.GENERATOR) or name == "awaitable":
            self._on_await(held, target)
        elif kind == ob.CONTAINER and name in ("list", "tuple"):
            number = self.objects.get(ob.CONTAINER, place, name=name)
            for key, variable in list(self.container(held).fields.items()):
                self.listen(variable, self.settle_awaitable, self.element(number, key))
            self.put(target, number)

    def settle_awaitable(self, held: int, target: int) -> None:
        """One of several things waited for together: what is no awaitable stays what it is."""
        if self.objects.kind[held] in (ob.COROUTINE, ob.GENERATOR) or self.objects.name[held] == "awaitable":
            self._on_await(held, target)
        else:
            self.put(target, held)

    def _enter(self, unit: Unit, offset: int, target: int) -> None:
        self.listen(unit.variables + unit.code[offset + 2], self._on_enter, target)

    def _on_enter(self, held: int, target: int) -> None:
        kind = self.objects.kind[held]
        if kind == ob.INSTANCE:
            for name in ("__enter__", "__aenter__"):
                result = target if name == "__enter__" else self.variable()
                if self.call_method(held, name, result, (), site=target):
                    if result != target:
                        self.listen(result, self._on_await, target)
                    break
            else:
                self.add(target, (held,) if self.outside_bases(self.objects.a[held]) else ())
            for name in ("__exit__", "__aexit__"):
                self.call_method(held, name, self.ignored, (), site=target)
        elif kind == ob.GENERATOR:
            self.flow(self.program.functions[self.objects.a[held]].yielded, target)
        elif kind == ob.CONTAINER and self.objects.name[held] == "generator":
            self.read_elements(held, target)
        elif kind in (ob.RESULT, ob.OPAQUE):
            self.put(target, held)
        elif kind == ob.COROUTINE:
            self.flow(self.program.functions[self.objects.a[held]].yielded, target)

    def _oper(self, unit: Unit, offset: int, target: int) -> None:
        code, base = unit.code, unit.variables
        name = self.name_number(unit.symbols[code[offset + 2]])
        left, right = base + code[offset + 3], base + code[offset + 4]
        self.listen_together(left, self._on_oper, target, right, name)
        if left != right and not self._name_list[name].startswith("__i"):
            reflected = self.name_number(self._name_list[name].replace("__", "__r", 1))
            self.listen_together(right, self._on_reflected, target, left, reflected)

    def _on_oper(self, objects: tuple[int, ...], target: int, right: int, number: int) -> None:
        name, kind = self._name_list[number], self.objects.kind
        result = self.ignored if name in _COMPARISONS else target
        left_over = self.call_methods(objects, number, result, right, target)
        if left_over and name.startswith("__i"):
            plain = self.name_number(name.replace("__i", "__", 1))
            left_over = self.call_methods(left_over, plain, result, right, target)
        for held in left_over:
            if kind[held] in (ob.CONTAINER, ob.RESULT) and name in _GIVE_THE_LEFT:
                self.put(target, held)
                if kind[held] == ob.CONTAINER and name != "__mod__":
                    self._concatenate(right, target)
            elif kind[held] == ob.CONTAINER and name in _LEAVE_ELEMENTS:
                self.put(target, held)
            elif kind[held] == ob.INSTANCE:
                if name in (*_GIVE_THE_LEFT, *_LEAVE_ELEMENTS) and self.is_enumeration(self.objects.a[held]):
                    self.put(target, held)
            elif kind[held] == ob.CONSTANT:
                self.put(target, self.objects.a[held])

    def _concatenate(self, right: int, target: int) -> None:
        pair = right << 32 | target
        if pair not in self._concatenated:
            self._concatenated.add(pair)
            self.listen(right, self._on_concatenated, target)

    def _on_concatenated(self, held: int, target: int) -> None:
        if self.objects.kind[held] == ob.CONTAINER:
            self.put(target, held)

    def _on_reflected(self, objects: tuple[int, ...], target: int, left: int, number: int) -> None:
        self.call_methods(objects, number, target, left, target)
