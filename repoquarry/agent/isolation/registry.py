"""The table of variants, in the order in which `auto` tries them: adding one is a file in this folder and a line here."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from typing import Final, cast

from repoquarry.agent.errors import IsolationUnavailableError, UnknownNameError
from repoquarry.agent.isolation.confinement import Isolation

VARIANTS: Final[Mapping[str, str]] = {
    "bubblewrap": "repoquarry.agent.isolation.bubblewrap",
    "landlock": "repoquarry.agent.isolation.landlock",
    "container": "repoquarry.agent.isolation.container",
    "none": "repoquarry.agent.isolation.none",
}
AUTO: Final = "auto"


def load_variant(name: str, image: str = "") -> Isolation:
    """A variant by name, whether it works here or not. Raises: UnknownNameError."""
    if name not in VARIANTS:
        raise UnknownNameError("isolation", name, (AUTO, *VARIANTS))
    return cast(Isolation, importlib.import_module(VARIANTS[name]).create(image))


@functools.cache
def choose_isolation(name: str, image: str = "") -> Isolation:
    """The variant of that name, or for `auto` the first that holds and works here; tried once for each process.

    Raises: UnknownNameError; IsolationUnavailableError, which says why each fails.
    """
    names = [key for key in VARIANTS if key != "none"] if name == AUTO else [name]
    failures = []
    for key in names:
        variant = load_variant(key, image)
        if not (failure := variant.unavailable()):
            return variant
        failures.append(f"{key}: {failure}")
    raise IsolationUnavailableError(
        f"commands cannot be isolated here ({'; '.join(failures)}); mend one of these, set agent.workspace.isolation "
        "to none to run commands without isolation, or leave agent.workspace.root unset"
    )
