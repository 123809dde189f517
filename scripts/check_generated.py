"""Check of all generated files in one process: `python scripts/check_generated.py`; exits with 1 if one is out of date."""

from __future__ import annotations

import sys

import generate_client
import generate_docs
import generate_proto
import generate_scopes
import generate_servicers


def main() -> int:
    sys.argv[1:] = ["--check"]
    stale = [
        module.main()
        for module in (generate_proto, generate_client, generate_servicers, generate_scopes, generate_docs)
    ]
    return int(any(stale))


if __name__ == "__main__":
    raise SystemExit(main())
