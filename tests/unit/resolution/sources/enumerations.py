import enum
from enum import Enum, auto


class Color(Enum):
    RED = 1
    GREEN = "green"
    BLUE = auto()
    # ^ calls: enum.auto
    PAIR = (1, 2)

    def show(self):
        return self.GREEN.paint()
        # ^ calls: enumerations.Color.paint

    def paint(self):
        pass

    @property
    # ^ calls: builtins.property
    def dark(self):
        return Shade()
        # ^ calls: enumerations.Shade

    @classmethod
    # ^ calls: builtins.classmethod
    def first(cls):
        return cls.RED.show()
        # ^ calls: enumerations.Color.show

    @staticmethod
    # ^ calls: builtins.staticmethod
    def plain():
        pass


class Shade:
    def mix(self):
        pass


class Level(enum.IntFlag):
    LOW = enum.auto()
    # ^ calls: enum.auto
    HIGH = 1 << 1

    def rank(self):
        pass


class Kind(str, Enum):
    SHADE = Shade
    OTHER = Shade

    def make(self):
        return self.value().mix()
        # ^ calls: enumerations.Shade, enumerations.Shade.mix


Color.RED.show()
# ^ calls: enumerations.Color.show
Color.BLUE.show()
# ^ calls: enumerations.Color.show
Color.PAIR.show()
# ^ calls: enumerations.Color.show
Color.RED.GREEN.paint()
# ^ calls: enumerations.Color.paint
Color["RED"].show()
# ^ calls: enumerations.Color.show
Color(1).show()
# ^ calls: enumerations.Color, enumerations.Color.show
Color.RED.dark.mix()
# ^ calls: enumerations.Color.dark, enumerations.Shade.mix
Color.first()
# ^ calls: enumerations.Color.first
Color.plain()
# ^ calls: enumerations.Color.plain
Level.HIGH.rank()
# ^ calls: enumerations.Level.rank
Kind.SHADE.make()
# ^ calls: enumerations.Kind.make
for color in Color:
    color.show()
    # ^ calls: enumerations.Color.show
