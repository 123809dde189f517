class Temperature:
    @property
    # ^ calls: builtins.property
    def celsius(self):
        return 1

    @celsius.setter
    def celsius(self, value):
        check(value)
        # ^ calls: accessors.check

    @celsius.deleter
    def celsius(self):
        check(0)
        # ^ calls: accessors.check


def check(value):
    return value


def read(one: Temperature):
    return one.celsius
    # ^ calls: accessors.Temperature.celsius


def write(one: Temperature):
    one.celsius = 3
    # ^ calls: accessors.Temperature.celsius#2
    one.celsius += 1
    # ^ calls: accessors.Temperature.celsius, accessors.Temperature.celsius#2
    setattr(one, "celsius", 4)
    # ^ calls: accessors.Temperature.celsius#2, builtins.setattr


def delete(one: Temperature):
    del one.celsius
    # ^ calls: accessors.Temperature.celsius#3


class Made:
    def get(self):
        return 1

    def put(self, value):
        pass

    def drop(self):
        pass

    both = property(get, put, fdel=drop)
    # ^ calls: builtins.property


def use(one: Made):
    one.both = one.both
    # ^ calls: accessors.Made.get, accessors.Made.put
    del one.both
    # ^ calls: accessors.Made.drop


class Field:
    def __get__(self, instance, owner):
        return 1

    def __set__(self, instance, value):
        pass

    def __delete__(self, instance):
        pass


class Record:
    name = Field()
    # ^ calls: accessors.Field

    def __init__(self, name):
        self.name = name
        # ^ calls: accessors.Field.__set__


def change(one: Record):
    del one.name
    # ^ calls: accessors.Field.__delete__
    return one.name
    # ^ calls: accessors.Field.__get__


class Open:
    def __getattr__(self, name):
        return 1

    def __setattr__(self, name, value):
        pass

    def __delattr__(self, name):
        pass

    def known(self):
        pass


def guess(one: Open):
    one.anything = 1
    # ^ calls: accessors.Open.__setattr__
    del one.anything
    # ^ calls: accessors.Open.__delattr__
    one.known()
    # ^ calls: accessors.Open.known
    return one.other
    # ^ calls: accessors.Open.__getattr__


class Rows:
    def __getitem__(self, key):
        return 1

    def __setitem__(self, key, value):
        pass

    def __delitem__(self, key):
        pass


def cut(rows: Rows):
    del rows[1], rows[2:3]
    # ^ calls: accessors.Rows.__delitem__
    rows[1:2] = ()
    # ^ calls: accessors.Rows.__setitem__
    rows[0] += 1
    # ^ calls: accessors.Rows.__getitem__, accessors.Rows.__setitem__
    return rows[1:]
    # ^ calls: accessors.Rows.__getitem__


class Text:
    def __format__(self, spec):
        return ""

    def __repr__(self):
        return ""

    def __reversed__(self):
        return iter([Rows()])
        # ^ calls: accessors.Rows, builtins.iter

    def __await__(self):
        yield

    def __rsub__(self, other):
        return self

    def __gt__(self, other):
        return True

    def __len__(self):
        return 1


def show(text: Text):
    a = f"{text}"
    # ^ calls: accessors.Text.__format__
    b = f"{text!r:>10}"
    # ^ calls: accessors.Text.__repr__
    c = f"{text!s}"
    # ^ calls: accessors.Text.__repr__
    if text and not text:
    # ^ calls: accessors.Text.__len__
        return a + b + c
    for rows in reversed(text):
    # ^ calls: accessors.Text.__reversed__, builtins.reversed
        rows[0]
        # ^ calls: accessors.Rows.__getitem__


async def wait(text: Text):
    return await text
    # ^ calls: accessors.Text.__await__


def sides(text: Text):
    return 1 - text, 1 < text
    # ^ calls: accessors.Text.__gt__, accessors.Text.__rsub__


class Shape:
    def __add__(self, other):
        return self

    def __radd__(self, other):
        return self

    def upper(self):
        return self


def join(left: Shape, right: Shape):
    return left + right
    # ^ calls: accessors.Shape.__add__


def capitalize(x):
    if not isinstance(x, str):
    # ^ calls: builtins.isinstance
        x = str(x)
        # ^ calls: builtins.str
    return x[0].upper() + x[1:]
    # ^ calls: builtins.str.upper


capitalize(Shape())
# ^ calls: accessors.Shape, accessors.capitalize
