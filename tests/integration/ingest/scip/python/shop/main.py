import json

from shop.prices import Discounted, Item, price


def make(name: str) -> "Item":
    return Item(3) if name else Discounted(4)


def names() -> "list[Item]":
    return [make(name) for name in json.loads("[]")]


def run() -> int:
    return sum(price(item) + item.total() for item in names())


print("ü", run())
