"""Sets the limits of a workspace command on itself and becomes that command.

Run as a script by `repoquarry.agent.workspace`, never imported: limits that are set between fork and exec in the service's own process
(`preexec_fn`) can deadlock it, because it has threads.

Usage: launcher.py MEMORY_BYTES FILE_BYTES PROCESSES CPU_SECONDS COMMAND [ARGUMENT …]; 0 leaves a limit as it is.
"""

from __future__ import annotations

import os
import resource
import sys


def main(arguments: list[str]) -> None:
    """Set the limits and replace this process by the command."""
    kinds = (resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC, resource.RLIMIT_CPU)
    for kind, text in zip(kinds, arguments, strict=False):
        if limit := int(text):
            hard = resource.getrlimit(kind)[1]
            bound = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            resource.setrlimit(kind, (bound, bound))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    command = arguments[len(kinds) :]
    try:
        os.execvp(command[0], command)  # noqa: S606  the command is what this script is for; no shell is added
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        raise SystemExit(127) from error


if __name__ == "__main__":
    main(sys.argv[1:])
