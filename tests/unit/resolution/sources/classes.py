from dataclasses import dataclass


class Engine:
    def __init__(self, power):
        self.power = power

    def start(self):
        self.check()
        # ^ calls: classes.Engine.check

    def check(self):
        pass


class Car:
    wheels = Engine

    def __init__(self):
        self.engine = Engine(1)
        # ^ calls: classes.Engine, classes.Engine.__init__

    def drive(self):
        self.engine.start()
        # ^ calls: classes.Engine.start

    @classmethod
    # ^ calls: builtins.classmethod
    def make(cls):
        return cls()
        # ^ calls: classes.Car, classes.Car.__init__

    @staticmethod
    # ^ calls: builtins.staticmethod
    def honk():
        pass

    @property
    # ^ calls: builtins.property
    def motor(self):
        return self.engine


def trip():
    car = Car.make()
    # ^ calls: classes.Car.make
    car.drive()
    # ^ calls: classes.Car.drive
    car.honk()
    # ^ calls: classes.Car.honk
    car.motor.check()
    # ^ calls: classes.Car.motor, classes.Engine.check


class Top:
    def run(self):
        pass


class Left(Top):
    def run(self):
        super().run()
        # ^ calls: builtins.super, classes.Right.run, classes.Top.run


class Right(Top):
    def run(self):
        super().run()
        # ^ calls: builtins.super, classes.Top.run


class Bottom(Left, Right):
    pass


Bottom().run()
# ^ calls: classes.Bottom, classes.Left.run


@dataclass
# ^ calls: dataclasses.dataclass
class Trip:
    car: Car
    guide: "Top"

    def go(self):
        self.car.drive()
        # ^ calls: classes.Car.drive
