class Memo:
    def __init__(self, fn):
        self._fn = fn

    def __call__(self, *args):
        return self._fn(*args)


@Memo
def make():
    return Product()


class Product:
    def use(self):
        pass


make().use()
