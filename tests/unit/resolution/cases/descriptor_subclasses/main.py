class class_only(classmethod):
    pass


class lazy(property):
    pass


class Thing:
    def save(self):
        pass


class View:
    @class_only
    def as_view(cls):
        return cls().render()

    def render(self):
        pass

    @lazy
    def thing(self):
        return Thing()


class Page(View):
    pass


def use():
    Page.as_view()
    Page().thing.save()
