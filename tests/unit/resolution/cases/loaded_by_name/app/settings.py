from app import defaults
from app.loading import load_object


class BaseSettings:
    def __init__(self):
        self.attributes = {}

    def __getitem__(self, name):
        return self.attributes[name]

    def get(self, name, default=None):
        return self[name] if name in self.attributes else default

    def set(self, name, value):
        self.attributes[name] = value

    def setmodule(self, module):
        for key in dir(module):
            if key.isupper():
                self.set(key, getattr(module, key))


class Settings(BaseSettings):
    def __init__(self):
        super().__init__()
        self.setmodule(defaults)


def by_item(settings: Settings):
    load_object(settings["CACHE"])().save()


def by_method(settings: Settings):
    load_object(settings.get("CACHE"))().save()


def by_table(settings: Settings):
    for path in settings["PIPELINES"]:
        load_object(path)().save()
