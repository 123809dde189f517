import functools


class Methods:
    def savefig(self):
        pass

    def plot(self):
        pass


def copy_doc(method, func=None):
    if func is None:
        return functools.partial(copy_doc, method)
    decorators = [lambda f: f]
    for d in decorators[::-1]:
        func = d(func)
    return func


def logged(fmt, func=None):
    if func is None:
        return functools.partial(logged, fmt)

    @functools.wraps(func)
    def wrapper(**kw):
        return func(**kw)

    return wrapper


def aliases(names, cls=None):
    if cls is None:
        return functools.partial(aliases, names)
    cls.x = names
    return cls


@copy_doc(Methods.savefig)
def savefig():
    pass


@copy_doc(Methods.plot)
def plot():
    pass


@logged("a")
def get_dir():
    pass


@logged("b")
def get_path():
    pass


@aliases({})
class Text:
    def __init__(self):
        pass

    def m(self):
        pass


@aliases({})
class Line:
    def __init__(self):
        pass

    def m(self):
        pass


def f():
    savefig()
    plot()
    get_dir()
    get_path()
    Text().m()
    Line().m()
