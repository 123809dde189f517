class Engine:
    def run(self):
        pass


class Pump:
    def start(self):
        pass


class Valve:
    def open(self):
        pass
