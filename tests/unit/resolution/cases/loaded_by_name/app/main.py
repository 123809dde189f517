from app.loading import Loader, get_backend, import_string, load_object
from app.plugins.store import FileStore
from django.utils.module_loading import import_string as outside_import_string

STORE = "app.plugins.store.FileStore"
STORES = {
    "file": "app.plugins.store.FileStore",
    "database": "app.plugins.store.DatabaseBackedStoreWithAVeryLongName",
}


def direct():
    load_object("app.plugins.store.FileStore")().save()


def by_constant():
    import_string(STORE)().save()


def by_table(name):
    load_object(STORES[name])().save()


def all_of_a_table():
    for path in STORES.values():
        load_object(path)().save()


def through_another():
    get_backend("app.plugins.store.MemoryStore")().save()


def entry_point():
    Loader().resolve("app.plugins.store:make")()


def outside():
    outside_import_string("app.plugins.store.MemoryStore")().save()


def as_class():
    load_object(FileStore)().save()


def by_keyword():
    load_object(path="app.plugins.store.MemoryStore")().save()


def unknown():
    load_object("elsewhere.Thing")()
