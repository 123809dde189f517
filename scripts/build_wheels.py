"""Makes a wheel for every platform into `dist`, from this machine: `python scripts/build_wheels.py [folder]`.

Two runs give the same bytes: set SOURCE_DATE_EPOCH, as `make wheels` does from the last commit, for equal times in the archives.
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
