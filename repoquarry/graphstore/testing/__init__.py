"""Compliance suite for graph engines, for the tests of an engine outside of this package too (docs/guides/engines.md)."""

import pytest

pytest.register_assert_rewrite(
    *(f"{__name__}.{name}" for name in ("changes", "contents", "limits", "values", "writes"))
)
