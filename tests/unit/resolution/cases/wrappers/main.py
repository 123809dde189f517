import functools


class Cat:
    def purr(self):
        pass


class Dog:
    def bark(self):
        pass


def traced(function):
    @functools.wraps(function)
    def wrapper(*args):
        result = function(*args)
        return result

    return wrapper


def awaited(function):
    @functools.wraps(function)
    async def wrapper(*args):
        return await function(*args)

    return wrapper


@traced
def cat():
    return Cat()


@traced
def dog():
    return Dog()


@awaited
async def later_cat():
    return Cat()


@awaited
async def later_dog():
    return Dog()


async def use():
    cat().purr()
    dog().bark()
    dog().purr()
    (await later_cat()).purr()
    (await later_dog()).bark()
    (await later_dog()).purr()
    made = traced(Cat)
    made().purr()
