"""The library that reads words under AddressSanitizer and UndefinedBehaviorSanitizer: any bytes, and damaged numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from build_native import WORDS

from tests.sanitizer_builds import require_clean

TEXTS = 20_000


@pytest.mark.long
def test_the_library_touches_only_its_own_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_clean(WORDS, "tests.oracle.tokenizer.fuzz", TEXTS, tmp_path, monkeypatch)
