"""Reader of keys, values and lines in configuration files (TOML, INI, YAML, JSON, `.env`, properties) that hides secrets.

The parsers of these formats give no line numbers, so keys are found by their form. A key is written with the keys around it, as in
`tool.ruff.line-length`; the items of a list are the value of the key of the list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from repoquarry.languages.secret_forms import WORD, is_secret_key, mask, mask_secrets

HIDDEN: Final = "(hidden)"
"""Shown in place of a secret."""
_MAX_BYTES: Final = 64 * 1024
_MAX_JSON_BYTES: Final = 16 * 1024
"""Larger JSON files are data."""
_MAX_VALUE_CHARACTERS: Final = 120
FORMATS: Final = {
    "toml": "toml", "ini": "ini", "cfg": "ini", "yaml": "yaml", "yml": "yaml", "json": "json", "env": "env", "properties": "properties",
}  # fmt: skip
_LOCK_FILE = re.compile(r"[-.]lock\.|shrinkwrap")
_SECTION = re.compile(r"\s*\[{1,2}\s*(?P<key>[^\[\]]+?)\s*\]{1,2}\s*(?:[#;].*)?")
_QUOTED_KEY = re.compile(r"""(?P<indent>\s*)(?:export\s+)?(?P<key>(?:[\w.-]|"[^"]*"|'[^']*')+)\s*=\s*(?P<value>.*)""")
_FREE_KEY = re.compile(r"(?P<indent>\s*)(?P<key>[^\s=:#;!\[][^=:]*?)\s*[=:]\s*(?P<value>.*)")
_YAML_LINE = re.compile(
    r"""(?P<indent>\s*(?:-\s+)*)(?:(?P<key>"[^"]+"|'[^']+'|[^\s#:"'{\[-](?:[^#:]*[^\s#:])?)\s*:(?:\s+(?P<value>.*))?|(?P<item>.*))"""
)
_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_STRING = re.compile(r""""(?:[^"\\]|\\.)*"|'[^']*'""")
_COMMENT = re.compile(r"(?:^|\s+)#.*$")
_SECRET_INSIDE = re.compile(
    rf"""(?P<key>(?<![a-z]){WORD}["']?\s*[=:]\s*|://[^\s/:@]*:)(?:{_STRING.pattern}|[^\s,}}@]+)""",
    re.IGNORECASE,
)
"""Secret in an inline table, or the password of an address."""


@dataclass
class Setting:
    """A key with its value."""

    line: int
    """1-based."""

    end_line: int
    key: str
    """Key with the sections and keys around it, joined by periods."""

    value: str
    """Value without a comment, on one line; `HIDDEN` for a secret."""

    indent: int = 0
    """Columns before the key."""


def is_setting_file(path: str, size_bytes: int = 0) -> bool:
    """Return whether a file is a configuration file, by its name and size; lock files and large files are not."""
    kind = _format(path)
    if not kind or _LOCK_FILE.search(path.rpartition("/")[2].lower()):
        return False
    return size_bytes <= (_MAX_JSON_BYTES if kind == "json" else _MAX_BYTES)


def read_settings(path: str, text: str) -> Iterator[Setting]:
    """Yield the keys of a configuration file that have a value; values of secrets are hidden."""
    kind = _format(path)
    read: Callable[[str, str], Iterator[Setting]] = {"yaml": _read_yaml, "json": _read_json}.get(kind, _read_lines)
    for setting in read(text, kind):
        setting.key = ".".join(key for part in setting.key.split(".") if (key := part.strip("\"'")))
        is_secret = is_secret_key(setting.key) or (kind == "env" and "key" in setting.key.lower().split("_"))
        value = HIDDEN if is_secret else _SECRET_INSIDE.sub(rf"\g<key>{HIDDEN}", " ".join(setting.value.split()))
        if setting.value.strip():
            setting.value = value if len(value) <= _MAX_VALUE_CHARACTERS else f"{value[: _MAX_VALUE_CHARACTERS - 1]}…"
            yield setting


def mask_setting_file(path: str, content: bytes) -> bytes:
    """Replace the secrets of a configuration file by stars, before it is stored; length and lines stay the same.

    Runs in a worker with limits, and reads the result as its readers do: what takes too long is not stored.
    """
    text = mask_secrets(content.decode("utf-8", "surrogateescape"), is_spaced=_format(path) in {"properties", "env"})
    lines = [
        _SECRET_INSIDE.sub(lambda match: match["key"] + mask(match[0][len(match["key"]) :]), line)
        for line in text.split("\n")
    ]
    # Values of JSON are among the forms: several may be on a line.
    for setting in read_settings(path, text) if _format(path) != "json" else ():
        if setting.value == HIDDEN:
            head, sign, value = _split_value(lines[setting.line - 1])
            lines[setting.line - 1] = head + sign + mask(value)
            below = lines[setting.line : setting.end_line]
            lines[setting.line : setting.end_line] = [mask(line) for line in below]
    masked = "\n".join(lines)
    hide_secrets(path, masked)
    return masked.encode("utf-8", "surrogateescape")


def hide_secrets(path: str, text: str) -> str:
    """Hide the values of secrets in the text of a configuration file; the number of lines stays the same."""
    text = mask_secrets(text, is_spaced=_format(path) in {"properties", "env"})
    lines = [_SECRET_INSIDE.sub(rf"\g<key>{HIDDEN}", line) for line in text.split("\n")]
    for setting in read_settings(path, text):
        if setting.value == HIDDEN:
            lines[setting.line - 1] = re.sub(r"([=:]\s*).*", rf"\g<1>{HIDDEN}", lines[setting.line - 1], count=1)
            lines[setting.line : setting.end_line] = [HIDDEN] * (setting.end_line - setting.line)
    return "\n".join(lines)


def _split_value(line: str) -> tuple[str, str, str]:
    """Divide a line behind its key; a line without a sign is all value."""
    head, *rest = re.split(r"([=:])", line, maxsplit=1)
    return (head, rest[0], rest[1]) if rest else ("", "", line)


def _format(path: str) -> str:
    """Return the format of a path; empty for other files."""
    name = path.rpartition("/")[2].lower()
    return "env" if name.startswith(".env.") else FORMATS.get(name.rpartition(".")[2] if "." in name else "", "")


def _strip_comment(value: str) -> str:
    quoted = _STRING.match(value)
    if quoted and _COMMENT.fullmatch(value, quoted.end()):
        return quoted[0]
    return _COMMENT.sub("", value)


def _read_lines(text: str, kind: str) -> Iterator[Setting]:
    """Read formats with a key and its value on a line: TOML, INI, `.env` and properties."""
    pattern = _QUOTED_KEY if kind in {"toml", "env"} else _FREE_KEY
    section, setting = "", None
    for number, line in enumerate(text.split("\n"), 1):
        if setting and _is_continued(setting, line, kind):
            setting.value, setting.end_line = f"{setting.value} {_strip_comment(line.strip())}", number
            continue
        if setting:
            yield setting
        setting = None
        if kind in {"toml", "ini"} and (match := _SECTION.fullmatch(line)):
            section = match["key"]
        elif match := pattern.fullmatch(line):
            value = _strip_comment(match["value"].strip())
            setting = Setting(number, number, f"{section}.{match['key']}", value, len(match["indent"]))
    if setting:
        yield setting


def _is_continued(setting: Setting, line: str, kind: str) -> bool:
    """Return whether a line continues the value before it."""
    if kind == "ini":
        return bool(line.strip()) and line[: setting.indent + 1].isspace()
    if kind == "properties":
        return setting.value.endswith("\\")
    quote = next((sign for sign in ('"""', "'''", '"', "'") if setting.value.startswith(sign)), "")
    if quote:
        return setting.value.count(quote) == 1
    bare = _STRING.sub("", setting.value) if kind == "toml" and setting.value[:1] in {"[", "{"} else ""
    return bare.count("[") + bare.count("{") > bare.count("]") + bare.count("}")


def _read_yaml(text: str, _kind: str) -> Iterator[Setting]:
    """Read YAML by its indentation."""
    keys: list[tuple[int, str]] = []
    setting: Setting | None = None
    for number, line in enumerate(text.split("\n"), 1):
        is_block = setting is not None and setting.value[:1] in {"|", ">"} and line[: setting.indent + 1].isspace()
        match = _YAML_LINE.fullmatch(line)
        if not line.strip() or match is None or (line.lstrip().startswith("#") and not is_block):
            continue
        if match["key"] and not is_block:
            if setting:
                yield setting
            column = len(match["indent"])
            keys = [*((at, key) for at, key in keys if at < column), (column, match["key"])]
            value = re.sub(r"^&\S+\s*", "", _strip_comment(match["value"] or ""))
            setting = Setting(number, number, ".".join(key for _, key in keys), value, len(line) - len(line.lstrip()))
        elif setting and not line.startswith(("---", "...")):
            sign = ", " if setting.value and "-" in match["indent"] else " "
            item = line.strip() if is_block else _strip_comment(match["item"])
            setting.value, setting.end_line = f"{setting.value}{sign}{item}", number
    if setting:
        yield setting


def _read_json(text: str, _kind: str) -> Iterator[Setting]:
    """Read JSON, also with comments, token by token."""
    parents: list[tuple[str, int, int]] = []
    """Key, line and offset of each open object and list."""
    key, before, line, position = "", "", 1, 0
    for match in _JSON_TOKEN.finditer(text):
        line += text.count("\n", position, match.start())
        position, part = match.start(), match[0]
        if part.startswith(("//", "/*")):
            continue
        if part in {"{", "["}:
            parents.append((key, line, position))
            key = ""
        elif part in {"}", "]"} and parents:
            own, start, offset = parents.pop()
            if part == "]" and own:
                yield Setting(start, line, ".".join((*(key for key, *_ in parents), own)), text[offset : match.end()])
        elif part == ":":
            key = before
        elif before == ":":
            yield Setting(line, line, ".".join((*(key for key, *_ in parents), key)), part)
            key = ""
        before = part
