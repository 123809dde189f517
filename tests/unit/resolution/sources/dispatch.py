"""Methods reached by the class of the receiver: hooks of base classes, mixins, what decorators make of classes."""


class Runner:
    def run(self):
        self.prepare()
        # ^ calls: dispatch.Runner.prepare, dispatch.Fast.prepare, dispatch.Slow.prepare, dispatch.Own.prepare
        return self.work()
        # ^ calls: dispatch.Runner.work, dispatch.Fast.work, dispatch.Slow.work

    def prepare(self):
        pass

    def work(self):
        raise NotImplementedError


class Fast(Runner):
    def prepare(self):
        pass

    def work(self):
        pass


class Slow(Runner):
    def prepare(self):
        pass

    def work(self):
        pass


class Own(Slow):
    def run(self):
        pass

    def prepare(self):
        pass


class Fetching:
    def fetch(self):
        pass


class Checks:
    """A mixin: what it calls comes from beside it."""

    def fetch(self):
        raise NotImplementedError

    def test_fetch(self):
        def inner():
            self.fetch()
            # ^ calls: dispatch.Checks.fetch, dispatch.Fetching.fetch

        inner()
        # ^ calls: dispatch.Checks.test_fetch.inner


class TestAll(Fetching, Checks):
    pass


def abstract(cls):
    class Wrapper(cls):
        pass

    return Wrapper


@abstract
# ^ calls: dispatch.abstract
class Left:
    def go(self):
        self.step()
        # ^ calls: dispatch.Left.step, dispatch.Leftmost.step

    def step(self):
        raise NotImplementedError


@abstract
# ^ calls: dispatch.abstract
class Right:
    def step(self):
        pass


class Leftmost(Left):
    def step(self):
        pass


class Engine:
    def __new__(cls):
        return super().__new__(cls.implementation())
        # ^ calls: builtins.super, builtins.object.__new__, dispatch.Engine.implementation, dispatch.Steam.implementation, dispatch.Diesel.implementation

    @classmethod
    # ^ calls: builtins.classmethod
    def implementation(cls):
        raise NotImplementedError

    def start(self):
        pass


class Steam(Engine):
    @classmethod
    # ^ calls: builtins.classmethod
    def implementation(cls):
        return Boiler


class Boiler(Steam):
    def start(self):
        pass


class Diesel(Engine):
    @classmethod
    # ^ calls: builtins.classmethod
    def implementation(cls):
        return Diesel


Steam().start()
# ^ calls: dispatch.Steam, dispatch.Engine.__new__, dispatch.Boiler.start


class Settings:
    def __init__(self):
        object.__setattr__(self, "other", Slow())
        # ^ calls: builtins.object.__setattr__, dispatch.Slow

    def read(self):
        self.other.work()
        # ^ calls: dispatch.Slow.work
