import native


class Lid:
    def shut(self):
        pass


class Box:
    def open(self):
        pass

    def put(self, what):
        what.shut()


def load(name):
    return native.load(name)
