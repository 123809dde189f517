"""Which package of the registry gives a module, and what else is known by name: the tables of `known.toml`."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from repoquarry.agent.provision.python.manifests.values import canonical


@dataclass(frozen=True)
class Break:
    """An error that a newer version of a package brought, and the constraint that avoids it."""

    pattern: re.Pattern[str]
    constraint: str
    reason: str


@functools.cache
def _tables() -> Mapping[str, Any]:
    text = resources.files(__package__).joinpath("known.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def package_of(module: str) -> str:
    """Package that gives a module: the longest dotted name that is known, else the module's top-level name."""
    known: Mapping[str, str] = _tables()["modules"]
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        if found := known.get(".".join(parts[:length])):
            return found
    return canonical(parts[0])


def name_of(module: str) -> str:
    """Name alone of the package that gives a module, in its canonical form: without the versions that a table may bound it to."""
    return named_by(package_of(module))


def named_by(requirement: str) -> str:
    """Canonical name of the package in `name`, `name<2` or `name==1.0`."""
    return canonical(re.split(r"[<>=!]", requirement)[0])


def is_known(module: str) -> bool:
    """Whether a table says which package gives the module."""
    return module.partition(".")[0] in _tables()["modules"] or module in _tables()["modules"]


def processor_only(package: str) -> str:
    """Package without an accelerator's libraries in place of one with them; empty when the package needs none."""
    return str(_tables()["accelerated"].get(canonical(package), ""))


def is_accelerator(package: str) -> bool:
    """Whether a package holds nothing but an accelerator's libraries."""
    table = _tables()["accelerator"]
    name = canonical(package)
    return name in table["names"] or any(name.startswith(prefix) for prefix in table["prefixes"])


def whole_below(package: str) -> str:
    """First version whose wheel no longer carries all its libraries; empty when the package is not known for that."""
    return str(_tables()["whole"].get(canonical(package), {}).get("below", ""))


def whole_before(package: str) -> str:
    """Day on which that version was published, `YYYY-MM-DD`; empty when the package is not known for it."""
    return str(_tables()["whole"].get(canonical(package), {}).get("published", ""))


def companions(package: str) -> tuple[str, ...]:
    """Packages whose every version is built on one exact version of a package."""
    return tuple(_tables()["companions"].get(canonical(package), ()))


def never_installed(package: str) -> str:
    """Why a package is left out wherever it is required; empty for all others."""
    return str(_tables()["left_out"].get(canonical(package), ""))


def replacement(package: str) -> str:
    """Package that took the place of one that can no longer be installed; empty when none is known."""
    return str(_tables()["replaced"].get(canonical(package), ""))


def plugin_of_option(option: str) -> str:
    """Package of the plugin of pytest that knows an option; empty when no table says which. `--name=value` and `-n4` are read as given."""
    known: Mapping[str, str] = _tables()["test_options"]
    name = option.partition("=")[0]
    return known.get(name) or (known.get(name[:2], "") if not name.startswith("--") else "")


def plugin_of_mark(mark: str) -> str:
    """Package of the plugin of pytest that registers a mark; empty when no table says which."""
    return str(_tables()["test_marks"].get(mark, ""))


@functools.cache
def breaks() -> tuple[Break, ...]:
    """Known breaks, the most specific first."""
    return tuple(Break(re.compile(row["error"]), row["constraint"], row["reason"]) for row in _tables()["breaks"])


def removed_modules() -> Mapping[str, str]:
    """Module of the standard library -> first version of Python without it."""
    found: Mapping[str, str] = _tables()["removed"]
    return found
