"""Models of frameworks and libraries: loading, checking and compiling of the TOML files in `repoquarry/models` and of a repository.

A model file is data. One form describes entry points, functions and types of a library, and one file per language its built-ins.
Docs: docs/guides/models.md.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Final

import msgspec

from repoquarry.languages import constraints as op
from repoquarry.languages.model_paths import ModelPathError, compile_path
from repoquarry.languages.registry import OWN_MODELS
from repoquarry.languages.structured_text import load_toml

FOLDER: Final = Path(__file__).parent.parent / "models"
"""Folder of the models that come with the product: a folder per ecosystem, a file per framework."""


class ModelFileError(ValueError):
    """A model file is refused; the message has its path, the line and the reason."""


Paths = str | tuple[str, ...]


class FunctionModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Model of functions."""

    of: str
    """Full names, separated by white space."""
    gives: Paths = ()
    """Paths of the result."""
    does: Paths = ()
    """Paths that run at the call without being its result."""


class TypeModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """Model of types; tables are path -> names of members, separated by white space."""

    of: str
    extends: str = ""
    """Full name of a type whose rows hold for this one as well."""
    constructed: Paths = ()
    """Paths of what calling the type gives; without one its plain instance."""
    does: dict[str, str] = {}
    """What calling a method does besides its result."""
    gives: dict[str, str] = {}
    reads: dict[str, str] = {}
    """What reading an attribute of an instance gives."""
    reads_on_class: dict[str, str] = {}
    """What reading an attribute of a class of the program that extends the type gives."""
    each: Paths = ()
    item: Paths = ()
    awaited: Paths = ()
    entered: Paths = ()
    called: Paths = ()
    bound: Paths = ()
    """What reading an attribute that holds such an object gives on an instance of its class."""
    bound_on_class: Paths = ()
    stands_for: Paths = ()
    """Value whose attributes an external object of this name has."""
    shared: bool = False
    """Attributes that are stored in one object of the type are read from all."""


class AnnotationModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """Model of annotations of Java classes. Members are written `{type} {get}{Name}()`, `static {class} builder()`."""

    of: str
    each_field: list[str] = []
    """Members for each field of the class that is not static."""
    each_mutable_field: list[str] = []
    once: list[str] = []
    fields: dict[str, str] = {}
    """Static fields -> full name of their type."""
    instances: bool = False
    """A container makes instances of the class."""


class EventModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """Model of events: an argument reaches the methods that have a parameter of its type."""

    sent_by: str
    received_by: str
    """Annotations of the methods."""


class ModelFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """Contents of a model file."""

    framework: list[dict[str, str]] = []
    """Entry points: `packages`, then kind of entry point -> last parts of names; `called` is a call of the package itself."""
    behaviors: dict[str, str] = {}
    """Built-in behavior, which an operand may follow (`call later: 1`) -> functions."""
    function: list[FunctionModel] = []
    type: list[TypeModel] = []
    annotation: list[AnnotationModel] = []
    event: list[EventModel] = []
    interface: dict[str, str] = {}
    """Package -> declarations in the language, for languages with static types."""
    names: dict[str, str] = {}
    """Tables of a language (`TableId` in kernel/program/language_tables.h): names."""
    values: dict[str, dict[str, str]] = {}
    """Tables of a language: value -> names that have it."""
    pairs: dict[str, dict[str, str]] = {}
    """Tables of a language: name -> value."""


@dataclass(frozen=True)
class Model:
    """A model file with its name, which edges show."""

    name: str
    path: str
    text: str
    contents: ModelFile

    def line_of(self, part: str) -> int:
        """Return the line that contains a part of the file."""
        return _line_of(self.text, part)

    @cached_property
    def programs(self) -> dict[str, str]:
        """Steps by key: a function, `Type.method`, `Type@read.attribute`, `Type@each`."""
        return dict(_programs(self))


def parse_model(path: str, content: bytes) -> Model:
    """Parse and check a model file.

    Raises: ModelFileError.
    """
    try:
        text = content.decode()
        contents = msgspec.convert(load_toml(text), ModelFile)
    except UnicodeDecodeError as exc:
        raise ModelFileError(f"{path}: not UTF-8") from exc
    except tomllib.TOMLDecodeError as exc:
        raise ModelFileError(f"{path}: {exc}") from exc
    except msgspec.ValidationError as exc:
        word = re.search(r"`([^`]+)`", str(exc).removeprefix("Object contains unknown field"))
        raise ModelFileError(f"{path}:{_line_of(text, word[1] if word else '')}: {exc}") from exc
    name = re.sub(r"[^\w.@/-]", "_", path.removeprefix(OWN_MODELS).rpartition("/")[2].removesuffix(".toml"))
    model = Model(name, path, text, contents)
    _check_frameworks(model)
    model.programs  # noqa: B018  paths are checked when they are compiled
    return model


def _line_of(text: str, part: str) -> int:
    """Return the line that contains a part of the file, 1 without one."""
    return text[: max(0, text.find(part))].count("\n") + 1 if part else 1


def _check_frameworks(model: Model) -> None:
    for group in model.contents.framework:
        if "packages" not in group:
            raise ModelFileError(
                f"{model.path}:{_line_of(model.text, '[[framework]]')}: a framework without `packages`"
            )


def _programs(model: Model) -> Iterator[tuple[str, str]]:
    """(key, steps) of all rows: a function, `Type.method`, `Type@read.attribute`, `Type@each`."""
    for function in model.contents.function:
        steps = [*_steps(model, function.does, "drop"), *_steps(model, function.gives, "give")]
        yield from ((name, " ".join(steps)) for name in function.of.split())
    for one in model.contents.type:
        for name in one.of.split():
            yield from _rows_of_type(model, name, one)


def _rows_of_type(model: Model, name: str, one: TypeModel) -> Iterator[tuple[str, str]]:
    yield f"{name}@type", " "
    if one.shared:
        yield f"{name}@shared", " "
    if one.constructed:
        yield name, " ".join(_steps(model, one.constructed, "give"))
    members: dict[str, list[str]] = defaultdict(list)
    tables = (
        (".", one.does, "drop"),
        (".", one.gives, "give"),
        ("@read.", one.reads, "give"),
        ("@class.", one.reads_on_class, "give"),
    )
    for mark, table, end in tables:
        for path, names in table.items():
            for member in names.split():
                members[f"{name}{mark}{member}"] += _steps(model, path, end)
    yield from ((key, " ".join(steps)) for key, steps in members.items())
    operations = {
        "each": one.each, "item": one.item, "await": one.awaited, "enter": one.entered, "call": one.called, "bind": one.bound,
        "bind-on-class": one.bound_on_class, "stand": one.stands_for,
    }  # fmt: skip
    yield from ((f"{name}@{key}", " ".join(_steps(model, path, "give"))) for key, path in operations.items() if path)


def _steps(model: Model, paths: str | Iterable[str], end: str) -> list[str]:
    found = list[str]()
    for path in [paths] if isinstance(paths, str) else paths:
        try:
            steps = compile_path(path)
        except ModelPathError as exc:
            raise ModelFileError(f"{model.path}:{_line_of(model.text, path)}: {exc}") from exc
        leaves_none = steps[-1] == "this" or steps[-1].startswith(("add:", "keep:", "keep-by:", "apply:", "set:"))
        found += steps if leaves_none else [*steps, end]
    return found


@cache
def load_models(ecosystem: str) -> tuple[Model, ...]:
    """Load the models of an ecosystem that come with the product, by file name; an empty one has none."""
    paths = sorted((FOLDER / ecosystem).rglob("*.toml")) if ecosystem else []
    return tuple(parse_model(path.relative_to(FOLDER).as_posix(), path.read_bytes()) for path in paths)


def parse_own_models(configuration: Mapping[str, bytes]) -> tuple[list[Model], list[str]]:
    """Parse the models of a repository; return them and the reasons of those that are refused."""
    models, refused = list[Model](), list[str]()
    for path in sorted(configuration):
        if path.startswith(OWN_MODELS) and path.endswith(".toml"):
            try:
                models.append(parse_model(path, configuration[path]))
            except ModelFileError as exc:
                refused.append(str(exc))
    return models, refused


def entry_point_kinds(models: Iterable[Model]) -> dict[str, dict[str, str]]:
    """Return the kind of entry point by name, by package; the empty name is a call of the package."""
    kinds_by_package: dict[str, dict[str, str]] = {}
    for group in chain.from_iterable(model.contents.framework for model in models):
        kinds = {"": group["called"]} if "called" in group else {}
        rows = ((kind, names) for kind, names in group.items() if kind not in ("packages", "called"))
        kinds |= {name: kind for kind, names in rows for name in names.split()}
        for package in group["packages"].split():
            kinds_by_package.setdefault(package, {}).update(kinds)
    return kinds_by_package


def compile_tables(models: Iterable[Model]) -> dict[str, tuple[str, ...]]:
    """Compile models to tables of the kernel, by name (`TableId`)."""
    models = list(models)
    rows: dict[str, list[str]] = defaultdict(list)
    for model in models:
        for table, names in model.contents.names.items():
            rows[table] += names.split()
        values = (
            {**model.contents.values, "behaviours": model.contents.behaviors}
            if model.contents.behaviors
            else model.contents.values
        )
        for table, names_by_value in values.items():
            rows[table] += (
                text for value, names in names_by_value.items() for name in names.split() for text in (name, value)
            )
        for table, pairs in model.contents.pairs.items():
            rows[table] += chain.from_iterable(pairs.items())
    frameworks = entry_point_kinds(models)
    for package, kinds in frameworks.items():
        rows["frameworks"] += (text for name, kind in kinds.items() for text in (f"{package}/{name}", kind))
        rows["frameworks"] += (f"{package}/*", "described")
    rows["models"] += chain.from_iterable(compile_programs(models).items())
    rows["model_names"] += (model.name for model in models if model.contents.function or model.contents.type)
    return {table: tuple(row) for table, row in rows.items()} | {"parameter_types": op.PARAMETER_TYPES}


def compile_programs(models: Iterable[Model]) -> dict[str, str]:
    """Return the program of each key: the name of the model and its steps. Rows of extended types are copied."""
    programs: dict[str, str] = {}
    extended: dict[str, str] = {}
    for model in models:
        programs |= {key: f"{model.name} {steps}".rstrip() for key, steps in model.programs.items()}
        extended |= {name: one.extends for one in model.contents.type if one.extends for name in one.of.split()}
    for name in extended:
        base, seen = extended[name], {name}
        while base and base not in seen:
            seen.add(base)
            for key in [one for one in programs if one.startswith((f"{base}.", f"{base}@"))]:
                programs.setdefault(name + key.removeprefix(base), programs[key])
            base = extended.get(base, "")
    return programs
