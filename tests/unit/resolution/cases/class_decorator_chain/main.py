from functools import partial


def described(cls=None, *, short=False):
    def describe(cls, short=False):
        cls.description = "short" if short else "long"
        return cls

    if cls is None:
        return partial(describe, short=short)
    return describe(cls, short=short)


def shown(cls=None, *, short=False):
    if cls is None:
        return described(short=short)
    return described(cls)


@shown
class Style:
    def __init__(self, color):
        self.color = color


@described
class Color:
    def __init__(self, name):
        self.name = name


@shown
class Text:
    def plain(self):
        pass


def use():
    Style(1)
    Color("red")
    Text().plain()
