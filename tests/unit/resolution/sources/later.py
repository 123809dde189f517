import asyncio
from contextlib import contextmanager
from typing import Iterator, Optional, Self


class Node:
    def close(self):
        pass

    def me(self) -> Self:
        return self


def produce():
    yield Node()
    # ^ calls: later.Node


def consume():
    for node in produce():
        # ^ calls: later.produce
        node.close()
        # ^ calls: later.Node.close


async def fetch() -> Node:
    return Node()
    # ^ calls: later.Node


async def main():
    node = await fetch()
    # ^ calls: later.fetch
    node.close()
    # ^ calls: later.Node.close


asyncio.run(main())
# ^ calls: asyncio.run, later.main


@contextmanager
# ^ calls: contextlib.contextmanager
def opened() -> Iterator[Node]:
    yield Node()
    # ^ calls: later.Node


def work():
    with opened() as node:
        # ^ calls: later.opened
        node.close()
        # ^ calls: later.Node.close


def annotated(node: Optional[Node], nodes: list["Node"], by_name: dict[str, Node]):
    node.close()
    # ^ calls: later.Node.close
    nodes[0].me().close()
    # ^ calls: later.Node.me, later.Node.close
    for each in by_name.values():
        # ^ calls: builtins.dict.values
        each.close()
        # ^ calls: later.Node.close


def unknown(thing, other):
    thing.whatever()
    # ^ unresolved: unknown receiver
    other()
    # ^ unresolved: unknown value
    undefined_name()
    # ^ unresolved: unknown name
