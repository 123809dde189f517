class Cat:
    def speak(self):
        pass


class Dog:
    def speak(self):
        pass


def one_after_the_other():
    pet = Cat()
    # ^ calls: flow.Cat
    pet.speak()
    # ^ calls: flow.Cat.speak
    pet = Dog()
    # ^ calls: flow.Dog
    pet.speak()
    # ^ calls: flow.Dog.speak


def branches(flag):
    if flag:
        pet = Cat()
        # ^ calls: flow.Cat
    else:
        pet = Dog()
        # ^ calls: flow.Dog
    pet.speak()
    # ^ calls: flow.Cat.speak, flow.Dog.speak


def early_return(flag):
    pet = Cat()
    # ^ calls: flow.Cat
    if flag:
        pet = Dog()
        # ^ calls: flow.Dog
        return pet
    pet.speak()
    # ^ calls: flow.Cat.speak


def loop(count):
    pet = Cat()
    # ^ calls: flow.Cat
    while count:
        pet.speak()
        # ^ calls: flow.Cat.speak, flow.Dog.speak
        pet = Dog()
        # ^ calls: flow.Dog


def narrowed(pet: "Cat | Dog"):
    if isinstance(pet, Cat):
        # ^ calls: builtins.isinstance
        pet.speak()
        # ^ calls: flow.Cat.speak
    else:
        pet.speak()
        # ^ calls: flow.Dog.speak


def default(pet=None):
    pet = pet or Cat()
    # ^ calls: flow.Cat
    pet.speak()
    # ^ calls: flow.Cat.speak


class Countdown:
    def __iter__(self):
        return self

    def __next__(self):
        return default


for step in Countdown():
    # ^ calls: flow.Countdown, flow.Countdown.__iter__, flow.Countdown.__next__
    step()
    # ^ calls: flow.default
