import importlib
from importlib import import_module


def load_object(path):
    if not isinstance(path, str):
        return path
    try:
        dot = path.rindex(".")
    except ValueError:
        raise ValueError(path)
    module, name = path[:dot], path[dot + 1 :]
    mod = import_module(module)
    try:
        obj = getattr(mod, name)
    except AttributeError:
        raise NameError(name)
    return obj


def cached_import(module_path, class_name):
    return getattr(import_module(module_path), class_name)


def import_string(dotted_path):
    try:
        module_path, class_name = dotted_path.rsplit(".", 1)
    except ValueError as error:
        raise ImportError(dotted_path) from error
    return cached_import(module_path, class_name)


def get_backend(backend=None):
    return import_string(backend)


class Loader:
    def resolve(self, entry):
        module, _, name = entry.partition(":")
        return getattr(importlib.import_module(module), name)
