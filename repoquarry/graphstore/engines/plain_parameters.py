"""Names of parameters that every parser reads: letters, digits and underscores.

Between the gate and an engine whose parser knows neither `` $`two words` `` nor letters outside ASCII. It works on the text
because only names change: everything else of the query stays where the gate, and the positions in errors, have it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from repoquarry.graphstore.model.values import Value

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_PARAMETER = re.compile(
    r"""'(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | //[^\n\r]* | /\*.*?\*/ | \$(?P<word>\w+) | \$`(?P<quoted>(?:[^`]|``)*)`
      | `(?:[^`]|``)*`""",
    re.VERBOSE | re.DOTALL,
)
"""A parameter, or something that could hold a `$` that is none."""


def with_plain_parameters(text: str, parameters: Mapping[str, Value]) -> tuple[str, dict[str, Value]]:
    """The query and its parameters with plain names; unchanged where all names are plain."""
    odd = [name for name in parameters if not _PLAIN.fullmatch(name)]
    if not odd:
        return text, dict(parameters)
    new: dict[str, str] = {}
    for name in odd:
        number = len(new) + 1
        while f"given{number}" in parameters or f"given{number}" in new.values():
            number += 1
        new[name] = f"given{number}"

    def renamed(match: re.Match[str]) -> str:
        quoted = match["quoted"]
        name = match["word"] if quoted is None else quoted.replace("``", "`")
        return match[0] if name is None or name not in new else f"${new[name]}"

    return _PARAMETER.sub(renamed, text), {new.get(name, name): value for name, value in parameters.items()}
