import functools
import typing


def logged(function):
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)
        # ^ calls: decorators.First.run, decorators.Second.walk, decorators.Second.rest

    return typing.cast(object, functools.update_wrapper(wrapper, function))
    # ^ calls: typing.cast, functools.update_wrapper


class First:
    @logged
    # ^ calls: decorators.logged
    def run(self, helper):
        helper.help()
        # ^ calls: decorators.Helper.help


class Second:
    @logged
    # ^ calls: decorators.logged
    def walk(self):
        pass

    @logged
    # ^ calls: decorators.logged
    def rest(self):
        self.walk()
        # ^ calls: decorators.logged.wrapper, decorators.Second.walk


class Helper:
    def help(self):
        pass


First().run(Helper())
# ^ calls: decorators.First, decorators.Helper, decorators.logged.wrapper, decorators.First.run
Second().rest()
# ^ calls: decorators.Second, decorators.logged.wrapper, decorators.Second.rest


def times(count):
    def decorate(function):
        @functools.wraps(function)
        # ^ calls: functools.wraps
        def repeated(*args):
            return function(*args)
            # ^ calls: decorators.one, decorators.two

        return repeated

    return decorate


@times(2)
# ^ calls: decorators.times, decorators.times.decorate
def one():
    pass


@times(3)
# ^ calls: decorators.times, decorators.times.decorate
def two():
    one()
    # ^ calls: decorators.times.decorate.repeated, decorators.one


two()
# ^ calls: decorators.times.decorate.repeated, decorators.two


def registered(function):
    if function:
        return function
    return None


@registered
# ^ calls: decorators.registered
def three():
    pass


@registered
# ^ calls: decorators.registered
def four():
    three()
    # ^ calls: decorators.three


def optional(function=None, *options):
    def inner(decorated):
        return decorated

    if function:
        return inner(function)
        # ^ calls: decorators.optional.inner
    return inner


@optional("first", "second")
# ^ calls: decorators.optional, decorators.optional.inner
def five():
    pass


@optional
# ^ calls: decorators.optional
def six():
    five()
    # ^ calls: decorators.five


five()
# ^ calls: decorators.five
six()
# ^ calls: decorators.six


nothing = None
nothing.run()
# ^ unresolved: unknown receiver
