from dataclasses import dataclass


class Left:
    def go(self):
        pass


class Right:
    def go(self):
        pass


class Third:
    def go(self):
        pass


def end(left, right):
    left.go()
    right_end(right=right, **{"left": left})


def right_end(left, right):
    right.go()


def middle(**options):
    end(**options)


def start(**options):
    middle(**options)


def merged(**options):
    end(**{"right": Right(), **options})


def later(**options):
    options.setdefault("left", Left())
    options.update(right=Right())
    end(**options)


def copied(**options):
    given = dict(options, third=Third())
    given.pop("third").go()
    copy = dict(given)
    copy["right"].go()
    for name in [*given]:
        name.upper()


class Base:
    def __init__(self, left=None, right=None):
        self.left = left
        self.right = right

    def left_goes(self):
        self.left.go()

    def right_goes(self):
        self.right.go()


class Derived(Base):
    def __init__(self, **options):
        super().__init__(**options)


@dataclass
class Record:
    left: object
    right: object

    def left_goes(self):
        self.left.go()

    def right_goes(self):
        self.right.go()


def unknown(table, key, value):
    table[key] = value
    return table


start(left=Left(), right=Right())
merged(left=Left())
later()
copied(right=Right())
Derived(left=Left(), right=Right()).left_goes()
Record(**{"left": Left(), "right": Right()}).left_goes()
unknown({}, input(), Third())["any"].go()
