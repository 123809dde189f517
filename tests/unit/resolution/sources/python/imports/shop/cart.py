LIMIT = 5


class Cart:
    pass


def total():
    pass
