"""Type parameters in brackets (PEP 695)."""


class Cat:
    def meow(self):
        pass


class Dog:
    def bark(self):
        pass


class Crate[A, B: Dog]:
    first: A

    def second(self) -> B:
        return load()
        # ^ unresolved: unknown name


def open_crates(crate: Crate[Cat, Dog], any_crate: Crate):
    crate.first.meow()
    # ^ calls: main.Cat.meow
    crate.second().bark()
    # ^ calls: main.Crate.second, main.Dog.bark
    any_crate.second().bark()
    # ^ calls: main.Crate.second, main.Dog.bark


def spot[D: Dog](dog: D) -> D:
    dog.bark()
    # ^ calls: main.Dog.bark
    return dog
