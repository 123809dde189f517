import typing
from functools import singledispatch
from typing import overload


class Apple:
    def eat(self):
        pass


class Pear:
    def eat(self):
        pass


class Tree:
    @overload
    # ^ calls: typing.overload
    def pick(self, kind: int) -> Apple: ...

    @overload
    # ^ calls: typing.overload
    def pick(self, kind: str) -> Pear: ...

    def pick(self, kind):
        return fetch(kind)
        # ^ calls: overloads.fetch

    def walk(self):
        self.pick(1).eat()
        # ^ calls: overloads.Tree.pick, overloads.Apple.eat, overloads.Pear.eat


class Picks(typing.Protocol):
    @overload
    # ^ calls: typing.overload
    def pick(self, kind: int) -> Apple: ...

    @overload
    # ^ calls: typing.overload
    def pick(self, kind: str) -> Pear: ...


def fetch(kind):
    return make(kind)
    # ^ unresolved: unknown name


def through(picks: Picks):
    picks.pick(1).eat()
    # ^ calls: overloads.Picks.pick, overloads.Tree.pick, overloads.Apple.eat, overloads.Pear.eat


@singledispatch
# ^ calls: functools.singledispatch
def show(value):
    raise TypeError(value)
    # ^ calls: builtins.TypeError


@show.register
# ^ unresolved: dynamic attribute
def _(value: int):
    return fetch(value)
    # ^ calls: overloads.fetch


show(1)
# ^ calls: overloads.show, overloads._
