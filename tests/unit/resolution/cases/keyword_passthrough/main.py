import functools


class Item:
    def touch(self):
        pass


def traced(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs)

    return wrapper


@traced
def take(count, *, item, **rest):
    item.touch()
    rest["spare"].touch()


def forward(*args, **kwargs):
    take(*args, **kwargs)


forward(1, item=Item(), spare=Item())
