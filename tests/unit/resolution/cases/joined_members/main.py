from enum import Flag, IntFlag


class Access(Flag):
    READ = 1
    WRITE = 2

    def describe(self):
        pass


class Bits(IntFlag):
    LOW = 1
    HIGH = 2

    def __or__(self, other):
        return "joined"

    def describe(self):
        pass


class Plain:
    def describe(self):
        pass


def joined():
    (Access.READ | Access.WRITE).describe()


def common(given):
    granted = Access.READ & given
    granted.describe()


def own_operator():
    (Bits.LOW | Bits.HIGH).describe()


def no_members():
    (Plain() | Plain()).describe()
