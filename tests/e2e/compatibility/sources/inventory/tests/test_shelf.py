from inventory.shelf import Shelf, clamp


def test_put_stops_at_the_capacity():
    shelf = Shelf(3)
    shelf.put(5)
    assert shelf.free() == 0


def test_clamp():
    assert clamp(7, 0, 5) == 5
