"""Script that imports modules in the environment under test and writes the error of each to a file.

Arguments: a JSON file with [module, names] pairs, and the output file, which gets a line before and after each import. The script imports
nothing of this project, and removes its own folder from the path.
"""

import importlib
import json
import signal
import sys
import time
import traceback
from typing import Any, Dict, List, TextIO  # noqa: UP035  the interpreter may be older than list[str]

SECONDS = 60
"""Seconds after which an idle import is abandoned: it waits for a network or a window."""
MAX_SECONDS = 300
"""Seconds after which a busy import is abandoned."""
WORKING = 0.02
"""Minimum share of processor time of a busy process, on a loaded machine too."""


def main(asked: str, answers: str) -> None:
    sys.path.pop(0)
    sys.argv[1:] = []
    with open(asked, encoding="utf-8") as file:
        pairs = json.load(file)
    with open(answers, "a", encoding="utf-8") as out:
        for module, names in pairs:
            write_row(out, {"module": module})
            write_row(out, dict(attempt(module, names), module=module))


def attempt(module: str, names: List[str]) -> Dict[str, str]:  # noqa: UP006
    """Import a module and names of it, and describe the result."""
    watch(SECONDS)
    try:
        loaded = importlib.import_module(module)
        for name in names:
            if not hasattr(loaded, name):
                take(module, name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: an imported script may exit.
        return {"error": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()[-4000:]}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return {"error": "", "trace": ""}


def watch(seconds: float) -> None:
    """Raise TimeoutError in the running code after the limit, later while it computes."""
    begun, computed = time.monotonic(), [time.process_time()]

    def look(*_: Any) -> None:
        waited, spent = time.monotonic() - begun, time.process_time() - computed[-1]
        if waited >= MAX_SECONDS or spent < seconds * WORKING:
            raise TimeoutError(f"the import did not end within {waited:.0f} seconds")
        computed.append(time.process_time())

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)


def take(module: str, name: str) -> None:
    """Import a name that is not an attribute as a module. Raises: ImportError."""
    full = f"{module}.{name}"
    try:
        importlib.import_module(full)
    except ImportError as error:
        if error.name not in (None, full, module):
            raise
        raise ImportError(f"cannot import name {name!r} from {module!r}") from error


def write_row(out: TextIO, row: Dict[str, Any]) -> None:  # noqa: UP006
    out.write(json.dumps(row) + "\n")
    out.flush()


if __name__ == "__main__":
    main(*sys.argv[1:3])
