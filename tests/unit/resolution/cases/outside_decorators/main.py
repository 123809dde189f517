import outside

registry = outside.Registry()


@outside.decorator
def traced(wrapped, instance, args, kwargs):
    return wrapped(*args, **kwargs)


@outside.made(1)
def other(fn):
    return Held(fn)


def optional(option):
    @outside.decorator
    def wrapper(wrapped, instance, args, kwargs):
        return wrapped(*args, **kwargs)

    return wrapper


class Held:
    def __init__(self, fn):
        self.fn = fn

    def __call__(self):
        return self.fn()


class Service:
    @traced
    def first(self):
        pass

    @property
    @traced
    def second(self):
        return Service()

    @optional(1)
    def third(self):
        pass

    @other
    def fourth(self):
        pass

    @registry.register
    def fifth(self):
        pass

    @outside.made(2)
    def sixth(self):
        pass

    @registry
    @traced
    @classmethod
    def seventh(cls):
        pass


def use(service: Service):
    service.first()
    service.second.first()
    service.third()
    service.fourth()
    service.fifth()
    service.sixth()
    service.seventh()


def keep(fn):
    def inner():
        return fn()

    return inner


def by_call(fn):
    return outside.made(3)(keep(fn))


def not_by_call(fn):
    return outside.made(4)(fn, 1)


class Wrapped:
    @by_call
    def called(self):
        pass

    @not_by_call
    def unseen(self):
        pass


def use_wrapped():
    Wrapped().called()
    Wrapped().unseen()
