class Registry:
    def for_kind(self, kind):
        def add(function):
            return self

        return add

    @classmethod
    def start(cls, function):
        return Registry().for_kind("*")(function)

    def run(self):
        pass


@Registry.start
def make():
    pass


def use():
    make.run()
    Registry().for_kind("x")(use).run()
