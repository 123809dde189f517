class FileStore:
    def save(self):
        pass


class MemoryStore:
    def save(self):
        pass


class DatabaseBackedStoreWithAVeryLongName:
    def save(self):
        pass


def make():
    pass
