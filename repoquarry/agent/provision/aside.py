"""Folders of a repository that do not belong to what it is for, whatever its language."""

from __future__ import annotations

import re
from typing import Final

SKIPPED: Final = frozenset(
    (
        "node_modules",
        "site-packages",
        "dist",
        "build",
        "__pycache__",
        "venv",
        "env",
        "third_party",
        "vendor",
        "_vendor",
        "egg-info",
    )
)
ASIDE: Final = re.compile(
    r"^(tests?|testing|docs?|docsrc|examples?|demos?|samples?|benchmarks?|tutorials?|notebooks?|recipes|scripts?|tools|contrib|studies|paper|"
    r"tasks|ci|\.\w+|utils_dev|dev|devtools|extras?|misc|templates?|cookiecutter.*|integration.*|perf|profiling|fixtures|stubs|typings|"
    r"tests?_.*|.*_tests?|conftest\.py|setup\.py|noxfile\.py|tasks\.py|fabfile\.py|versioneer\.py|runtests\.py|bootstrap\.py|ez_setup\.py|"
    r"distribute_setup\.py|test_.*\.py|.*_test\.py)$",
    re.IGNORECASE,
)
"""Folders and files below the root that do not belong to what the repository is for."""
