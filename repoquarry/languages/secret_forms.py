"""Maintained list of the forms in which settings files hold secrets, and a mask that keeps length and lines.

Program source is never masked: there a name such as `password` is code.
"""

from __future__ import annotations

import json
import re
from typing import Final

WORD: Final = r"(?:passw(?:or)?ds?|passphrases?|pwd|secrets?|tokens?|credentials?|(?:api|auth|access|private|secret)[-_.]?keys?)(?![a-z])"
SECRET_KEY: Final = re.compile(rf"(?<![a-z]){WORD}|(?<![a-z])pass$", re.IGNORECASE)
"""Key whose value is a secret, after `camelCase` was divided by underscores."""
_CASE_BORDER: Final = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
_QUOTED: Final = r""""(?:[^"\\\n]|\\.)*"|'[^'\n]*'"""
_VALUE: Final = rf"""(?P<value>{_QUOTED}|[^\s,}}\]#]+)"""
_NAME: Final = r"""["']?(?:name|key|variable)["']?\s*[:=]\s*["']?(?P<key>[\w.-]+)["']?"""
FORMS: Final = tuple(
    re.compile(form, re.IGNORECASE | re.MULTILINE)
    for form in (
        # Kubernetes and Compose: a name and a value beside it, in either order.
        rf"""{_NAME}\s*,?\s*["']?value["']?\s*[:=]\s*{_VALUE}""",
        rf"""["']?value["']?\s*[:=]\s*{_VALUE}\s*,?\s*{_NAME}""",
        # JSON, also with the value on a later line.
        rf"""(?P<key>"(?:[^"\\\n]|\\.)+")\s*:\s*(?P<value>\[[^\[\]{{}}]*\]|{_QUOTED}|[^\s,}}\]\[{{"]+)""",
        # YAML: lists below a key, and keys after a question mark.
        r"""^(?P<indent>[ \t]*)(?P<key>[\w."'-]+)[ \t]*:[ \t]*(?P<value>(?:\n[ \t]*-[ \t]+[^\n]+)+)""",
        rf"""^[ \t]*\?[ \t]*(?P<key>[\w."'-]+)[ \t]*\n[ \t]*:[ \t]*{_VALUE}""",
    )
)
"""Forms with a key that decides."""
SPACED_FORM: Final = re.compile(r"^[ \t]*(?P<key>[\w.-]+)[ \t]+(?P<value>[^\s=:][^\n]*)$", re.MULTILINE)
BARE_FORMS: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"\b(?:bearer|basic)[ \t]+(?P<value>[\w.~+/=-]{4,})",
        r"://(?P<value>[^\s/@\"']+)@",
        r"(?P<value>\b(?:sk|pk|rk)[-_](?:live|test|proj)[-_]\w{8,}|\bgh[pousr]_\w{20,}|\bAKIA[0-9A-Z]{12,})",
    )
)
"""Forms that are secrets under every key."""


def is_secret_key(key: str) -> bool:
    """Return whether a key, perhaps in quotes, names a secret."""
    try:
        plain = str(json.loads(key)) if key.startswith('"') else key.strip("'\"")
    except ValueError:
        plain = key
    return SECRET_KEY.search(_CASE_BORDER.sub("_", plain)) is not None


def mask_secrets(text: str, *, is_spaced: bool = False) -> str:
    """Replace the characters of secrets by stars; length in UTF-8 and lines stay as they are.

    `is_spaced`: a space may divide keys from values, as in properties.
    """
    for form in BARE_FORMS:
        text = form.sub(_mask_value, text)
    for form in (*FORMS, SPACED_FORM) if is_spaced else FORMS:
        text = form.sub(lambda match: _mask_value(match) if is_secret_key(match["key"]) else match[0], text)
    return text


def _mask_value(match: re.Match[str]) -> str:
    start, end = (place - match.start() for place in match.span("value"))
    return match[0][:start] + mask(match["value"]) + match[0][end:]


def mask(secret: str) -> str:
    """Mask a value; quotes, brackets and commas around its parts keep the file valid."""
    in_bytes = secret.encode("utf-8", "surrogateescape").decode("latin-1")
    return re.sub(r"[^\s\"',\[\]]", "*", in_bytes, flags=re.ASCII)
