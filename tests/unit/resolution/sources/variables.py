"""Uses of constants and fields: plain names, receivers, annotations, constructors, inheritance, shadowing."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

LIMIT = 5
TABLE: dict[str, int] = {}


class Point:
    origin = 0
    size: int

    def __init__(self, x, limit=LIMIT):
        # ^ uses: variables.LIMIT
        self.x = x
        self.limit = limit
        self.peer: Optional[Point] = None

    def shift(self):
        self.x += LIMIT
        # ^ uses: variables.LIMIT, variables.Point.x
        for _ in range(3):
            # ^ calls: builtins.range
            self.limit = self.origin
            # ^ uses: variables.Point.limit, variables.Point.origin
        return self

    @property
    # ^ calls: builtins.property
    def half(self):
        return self.size
        # ^ uses: variables.Point.size


class Corner(Point):
    origin = 1

    def turn(self):
        self.x = self.size
        # ^ uses: variables.Point.x, variables.Point.size
        return super().origin, self.origin
        # ^ uses: variables.Point.origin, variables.Corner.origin
        # ^ calls: builtins.super


@dataclass
# ^ calls: dataclasses.dataclass
class Box:
    corner: Corner
    label: str = ""


def read(box: Box, unknown, point: Point | None = None):
    made = Corner(1)
    # ^ calls: variables.Corner, variables.Point.__init__
    TABLE["x"] = unknown.size
    # ^ uses: variables.TABLE
    if point:
        return point.peer.x
        # ^ uses: variables.Point.peer, variables.Point.x
    return box.corner.size, made.shift().limit
    # ^ uses: variables.Box.corner, variables.Point.size, variables.Point.limit
    # ^ calls: variables.Point.shift


def shadow(LIMIT):
    return LIMIT


def rebind():
    global TABLE
    TABLE = {}
    # ^ uses: variables.TABLE
    return lambda: TABLE
    # ^ uses: variables.TABLE
