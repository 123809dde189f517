"""Build of wheels for all platforms into `dist` on this machine: `python scripts/build_wheels.py [folder]`.

Builds are reproducible if SOURCE_DATE_EPOCH is set; `make wheels` sets it to the time of the last commit.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from build_native import TARGETS

ROOT = Path(__file__).resolve().parents[1]


def main(folder: Path) -> None:
    """Build all wheels. Raises: subprocess.CalledProcessError."""
    for target in TARGETS:
        environment = {**os.environ, "REPOQUARRY_KERNEL_TARGET": target.triple}
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
        subprocess.run(command, cwd=ROOT, env=environment, check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "dist")
