"""The kernel under AddressSanitizer and UndefinedBehaviorSanitizer: case files, generated programs and mutations of both."""

from __future__ import annotations

from pathlib import Path

import pytest
from build_native import RESOLVER

from tests.sanitizer_builds import require_clean

MUTATIONS = 3000


@pytest.mark.long
def test_the_kernel_touches_only_its_own_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_clean(RESOLVER, "tests.oracle.fuzz", MUTATIONS, tmp_path, monkeypatch)
