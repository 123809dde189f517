from typing import Protocol, TypeVar


class Animal:
    def feed(self):
        pass


class Dog(Animal):
    def walk(self):
        pass


A = TypeVar("A", bound=Animal)


def fed(animal: A) -> A:
    animal.feed()
    return animal


def unseen(animal: A):
    animal.feed()


class Closable(Protocol):
    def close(self) -> None: ...


class File:
    def close(self):
        pass


def shut(what: Closable):
    what.close()


fed(Dog()).walk()
File()
