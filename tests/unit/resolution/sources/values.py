import functools


def first():
    pass


def second():
    pass


def apply(function):
    function()
    # ^ calls: values.first


apply(first)
# ^ calls: values.apply

table = {"a": first, "b": second}
table["a"]()
# ^ calls: values.first


def lookup(name):
    table[name]()
    # ^ calls: values.first, values.second


pair = (first, second)
left, right = pair
right()
# ^ calls: values.second

items = []
items.append(second)
# ^ calls: builtins.list.append
items[0]()
# ^ calls: values.second

bound = functools.partial(second)
# ^ calls: functools.partial
bound()
# ^ calls: values.second


def identity(value):
    return value


identity(first)()
# ^ calls: values.identity, values.first
identity(second)()
# ^ calls: values.identity, values.second


def decorator(function):
    @functools.wraps(function)
    # ^ calls: functools.wraps
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)
        # ^ calls: values.decorated

    return wrapper


@decorator
# ^ calls: values.decorator
def decorated():
    pass


decorated()
# ^ calls: values.decorator.wrapper, values.decorated

handler = lambda: second()
# ^ calls: values.second
handler()
# ^ calls: values.<lambda1>


def keywords(*, callback):
    callback()
    # ^ calls: values.second


keywords(callback=second)
# ^ calls: values.keywords


def stars(*functions, **named):
    functions[0]()
    # ^ calls: values.first
    named["last"]()
    # ^ calls: values.second


stars(first, last=second)
# ^ calls: values.stars
