from typing import TypeVar, cast

Grown = TypeVar("Grown", bound="Plant")
Either = TypeVar("Either", "Plant", "Stone")


def pick(one: Grown) -> Grown:
    one.water()
    return one


def weigh(one: Either):
    one.weight()


class Plant:
    def water(self):
        pass

    def weight(self):
        pass


class Stone:
    def weight(self):
        pass


def use(found):
    cast("Plant", found).water()
    cast(Stone, found).weight()
    for one in cast("list[Plant]", found):
        one.weight()
