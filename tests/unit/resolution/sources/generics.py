"""Classes with type parameters by `Generic[T]` and `Protocol[T]`."""

from typing import Generic, Protocol, TypeVar


class Cat:
    def meow(self):
        pass


class Dog:
    def bark(self):
        pass


T = TypeVar("T")
# ^ calls: typing.TypeVar
K = TypeVar("K", bound=Cat)
# ^ calls: typing.TypeVar


class Box(Generic[T]):
    def get(self) -> T:
        return load()
        # ^ unresolved: unknown name

    def all(self) -> list[T]:
        return load()
        # ^ unresolved: unknown name

    def same(self) -> "Box[T]":
        return self


class CatBox(Box[Cat]):
    pass


class Shelf(Box[K], Generic[K]):
    def top(self):
        self.get().meow()
        # ^ calls: generics.Box.get, generics.Cat.meow


class Source(Protocol[T]):
    def read(self) -> T: ...


def boxes(cats: Box[Cat], dogs: Box[Dog], own: CatBox, shelf: Shelf[Cat]):
    cats.get().meow()
    # ^ calls: generics.Box.get, generics.Cat.meow
    dogs.get().bark()
    # ^ calls: generics.Box.get, generics.Dog.bark
    own.get().meow()
    # ^ calls: generics.Box.get, generics.Cat.meow
    shelf.get().meow()
    # ^ calls: generics.Box.get, generics.Cat.meow
    for dog in dogs.all():
        # ^ calls: generics.Box.all
        dog.bark()
        # ^ calls: generics.Dog.bark
    dogs.same().get().bark()
    # ^ calls: generics.Box.same, generics.Box.get, generics.Dog.bark


def sources(source: Source[Dog]):
    source.read().bark()
    # ^ calls: generics.Source.read, generics.Dog.bark


class Holder(Generic[T]):
    def __init__(self, item: T):
        self.item = item

    def take(self) -> T:
        return self.item


def holders():
    Holder(Cat()).take().meow()
    # ^ calls: generics.Holder, generics.Holder.__init__, generics.Holder.take, generics.Cat, generics.Cat.meow
    Holder(Dog()).take().bark()
    # ^ calls: generics.Holder, generics.Holder.__init__, generics.Holder.take, generics.Dog, generics.Dog.bark


def tuples(dogs: tuple[Dog, ...], pair: tuple[Cat, Dog]):
    dogs[2].bark()
    # ^ calls: generics.Dog.bark
    pair[0].meow()
    # ^ calls: generics.Cat.meow
    pair[0].bark()
    # ^ unresolved: dynamic attribute


class Rack(Source[T], Box[T]):
    pass


class Named(dict[str, T], Box[T]):
    pass


class Kennel(Rack[Dog]):
    pass


class Pairs(Box[tuple[K, T]]):
    pass


def unnamed_parameters(rack: Rack[Cat], named: Named[Dog], kennel: Kennel, pairs: Pairs[Cat, Dog]):
    rack.get().meow()
    # ^ calls: generics.Box.get, generics.Cat.meow
    rack.read().meow()
    # ^ calls: generics.Source.read, generics.Cat.meow
    named.get().bark()
    # ^ calls: generics.Box.get, generics.Dog.bark
    kennel.get().bark()
    # ^ calls: generics.Box.get, generics.Dog.bark
    pairs.get()[1].bark()
    # ^ calls: generics.Box.get, generics.Dog.bark
