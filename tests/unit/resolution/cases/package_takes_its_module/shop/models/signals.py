class Signal:
    def send(self):
        pass


saved = Signal()
