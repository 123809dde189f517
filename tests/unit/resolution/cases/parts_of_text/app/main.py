from importlib import import_module

STORES = {"file": "app.stores.FileStore", "memory": "app.stores.MemoryStore"}
DEFAULT = "app.stores.Ledger"


def by_rsplit():
    module_path, class_name = "app.stores.FileStore".rsplit(".", 1)
    module = import_module(module_path)
    getattr(module, class_name)().save()


def by_rpartition():
    module_path, _, class_name = DEFAULT.rpartition(".")
    getattr(import_module(module_path), class_name)().save()


def by_table(kind):
    path, _, name = STORES[kind].rpartition(".")
    getattr(import_module(path), name)().save()


def by_colon(target="app.stores:MemoryStore"):
    module, name = target.split(":")
    getattr(import_module(module), name)().save()


def by_keywords():
    module_path, class_name = DEFAULT.rsplit(sep=".", maxsplit=1)
    getattr(import_module(module_path), class_name)().save()


def by_position():
    parts = "app.stores Ledger".split(None, 1)
    getattr(import_module(parts[0]), parts[1])().save()


def each_word():
    stores = import_module("app.stores")
    for name in "FileStore  Ledger".split():
        getattr(stores, name)().save()


def cut_elsewhere():
    module_path, class_name = "app.stores.FileStore".split(".", 1)
    getattr(import_module(module_path), class_name)().save()


def not_cut():
    module_path, dot, class_name = "FileStore".partition(":")
    getattr(import_module(module_path), class_name)().save()


def unknown(text, separator):
    text.split(separator).pop().strip()
    "a b".split(separator).pop().strip()
    for word in "a\tb".split("\t"):
        word.upper()
