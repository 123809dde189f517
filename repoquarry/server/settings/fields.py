"""Every setting with its key and its variable, which follow from the fields of the sections."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from repoquarry.server.settings.sections import Settings

PREFIX = "REPOQUARRY_"
RENAMED = {"REPOQUARRY_STORE_FOLDER": "REPOQUARRY_STORE"}
"""Settings whose variable is shorter than the rule gives."""


@dataclass(frozen=True)
class SettingField:
    """One setting: its key in the file (`section.field`), its variable, and the type of its value."""

    key: str
    owner: type
    name: str
    kind: Any
    default: object

    @property
    def variable(self) -> str:
        derived = PREFIX + self.key.replace(".", "_").upper()
        return RENAMED.get(derived, derived)


def setting_fields(owner: type = Settings, prefix: str = "") -> Iterator[SettingField]:
    """All settings, section by section, in the order of their declaration."""
    hints = typing.get_type_hints(owner)
    sections = []
    for item in dataclasses.fields(owner):
        kind = hints[item.name]
        key = f"{prefix}{item.name}"
        section = section_of(kind)
        if section is not None:
            sections.append((section, f"{key}."))
        else:
            default = item.default if item.default_factory is dataclasses.MISSING else item.default_factory()
            yield SettingField(key, owner, item.name, kind, default)
    for kind, below in sections:
        yield from setting_fields(kind, below)


def section_of(kind: Any) -> type | None:
    """The dataclass that a field holds, also where it may be None; None for a plain value."""
    for part in (kind, *typing.get_args(kind)):
        if isinstance(part, type) and dataclasses.is_dataclass(part):
            return part
    return None
