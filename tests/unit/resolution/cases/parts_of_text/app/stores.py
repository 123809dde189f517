class FileStore:
    def save(self):
        pass


class MemoryStore:
    def save(self):
        pass


class Ledger:
    def save(self):
        pass
