class Part:
    def fix(self):
        pass


class Shelf:
    def first(self):
        self[0].fix()
        for part in self:
            part.fix()
        return 1 in self

    def __getitem__(self, key):
        raise NotImplementedError

    def __iter__(self):
        return iter([Part()])

    def __contains__(self, part):
        return True


class Wide(Shelf):
    def __getitem__(self, key):
        return Part()


Wide().first()
