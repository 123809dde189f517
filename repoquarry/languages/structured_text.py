"""Loaders of TOML and YAML from untrusted repositories, whose libraries take memory out of proportion for some texts."""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

_MAX_KEY_PARTS: Final = 64
_KEY_PART: Final = r"""(?:[\w-]+|"[^"\n]{0,200}"|'[^'\n]{0,200}')[ \t]*\.[ \t]*"""
_DEEP_KEY: Final = re.compile(rf"(?:^|[\[{{,])[ \t]*(?:{_KEY_PART}){{{_MAX_KEY_PARTS}}}", re.MULTILINE)
"""Dotted key: each part makes tables again for all parts before."""
_MERGE: Final = re.compile(r"<<\s*:")
_LIST_MERGE: Final = re.compile(r"<<\s*:\s*(?:\[|\n\s*-)")
_MAX_MERGED: Final = 10_000


def load_toml(text: str) -> dict[str, Any]:
    """Load a TOML document. Raises: tomllib.TOMLDecodeError, a ValueError."""
    if _DEEP_KEY.search(text):
        raise tomllib.TOMLDecodeError(f"a key has more than {_MAX_KEY_PARTS} parts")
    try:
        return tomllib.loads(text)
    except RecursionError as exc:
        raise tomllib.TOMLDecodeError("its values are nested too deeply") from exc


def load_yaml(text: str) -> Any:
    """Load a YAML document. Raises: ValueError."""
    import yaml

    class Loader(yaml.SafeLoader):
        """Loader that bounds what merge keys copy."""

        def flatten_mapping(self, node: yaml.MappingNode) -> None:
            super().flatten_mapping(node)
            if len(node.value) > _MAX_MERGED and _MERGE.search(text):
                raise yaml.YAMLError(f"a mapping with merge keys has more than {_MAX_MERGED} entries")

    if _LIST_MERGE.search(text):
        raise ValueError("it merges lists of mappings")
    try:
        return yaml.load(text, Loader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, RecursionError) as exc:
        raise ValueError(" ".join(str(exc).split())) from exc
