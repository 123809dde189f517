"""Command line of the inventory."""

import json
import sys

from inventory.warehouse import Warehouse


def load(path: str) -> Warehouse:
    """Read a warehouse from a JSON file of counts by item name."""
    warehouse = Warehouse()
    with open(path, encoding="utf-8") as file:
        for name, count in json.load(file).items():
            warehouse.receive(name, count)
    return warehouse


def main() -> None:
    """Print the items of a stock file."""
    for name, shelf in load(sys.argv[1]).shelves.items():
        print(name, shelf.count, shelf.free())
