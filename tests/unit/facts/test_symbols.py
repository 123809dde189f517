"""Symbols of a file are laid out as one text, and read back as they were."""

from __future__ import annotations

import pytest

from repoquarry.languages.facts import TextPool


@pytest.mark.parametrize("texts", [(), ("",), ("a", "", "längste", "名前", "\ud800", "𝔸b", "a\nb")])
def test_texts_come_back(texts: tuple[str, ...]) -> None:
    laid_out = TextPool.of(texts)
    assert laid_out.texts() == texts
    assert len(laid_out.counts) == 4 * len(texts)
