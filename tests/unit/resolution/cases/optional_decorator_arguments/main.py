def registered(*args, path=None):
    def decorator(cls):
        cls.path = path
        return cls

    if not args:
        return decorator
    return decorator(*args)


@registered
class Check:
    def __call__(self, value):
        return value


@registered(path="x.Field")
class Field:
    def __init__(self, name):
        self.name = name


@registered
class Form:
    def clean(self):
        pass


def use():
    Field("a")
    Form().clean()
