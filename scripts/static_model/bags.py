"""Vocabulary and token bags of training pairs, built with the tokenizer of the shipped model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.search.embeddings.embedder import document_text
from repoquarry.graphstore.search.embeddings.static import MAX_TOKENS, TokenBags, TokenVocabulary
from repoquarry.graphstore.search.text_analysis import identifier_parts, words
from scripts.static_model.corpus import Pair

_MIN_TEXTS_PART: Final = 5
_MIN_TEXTS_COMPOUND: Final = 12


@dataclass(frozen=True)
class TokenisedPairs:
    """All texts as bags, aligned by row: three forms of the query, two of the document."""

    packages: NDArray[np.int64]
    """Package number of each row."""
    lines: TokenBags
    paragraphs: TokenBags
    proses: TokenBags
    documents: TokenBags
    documents_with_rest: TokenBags
    """Documents including the docstring after its first paragraph, as in real code."""


def build_vocabulary(pairs: Sequence[Pair], parts: int, compounds: int) -> TokenVocabulary:
    """Return the most frequent identifier parts and compound names: `parts` of the former, then `compounds` of the latter."""
    part_texts: Counter[str] = Counter()
    compound_texts: Counter[str] = Counter()
    for pair in pairs:
        split = {identifier_parts(word) for word in words(f"{pair.path} {pair.qualname} {pair.prose} {pair.code}")}
        part_texts.update({part for parts_of_word in split for part in parts_of_word})
        compound_texts.update({"_".join(parts_of_word) for parts_of_word in split if len(parts_of_word) > 1})
    return TokenVocabulary(
        [
            *_most_widespread(part_texts, parts, _MIN_TEXTS_PART),
            *_most_widespread(compound_texts, compounds, _MIN_TEXTS_COMPOUND),
        ]
    )


def _most_widespread(texts: Counter[str], most: int, fewest_texts: int) -> list[str]:
    ranked = sorted(
        texts.items(),
        key=lambda item: (-item[1], item[0]),
        # Not most_common: the result must not depend on the order of ties.
    )
    return [token for token, count in ranked[:most] if count >= fewest_texts]


def tokenise(pairs: Sequence[Pair], vocabulary: TokenVocabulary) -> TokenisedPairs:
    """Return the bags of all pairs."""
    numbers = {name: number for number, name in enumerate(sorted({pair.package for pair in pairs}))}

    def bags(texts: list[str]) -> TokenBags:
        return vocabulary.bags(texts, MAX_TOKENS)

    return TokenisedPairs(
        np.array([numbers[pair.package] for pair in pairs]),
        bags([pair.line for pair in pairs]),
        bags([pair.paragraph for pair in pairs]),
        bags([pair.prose for pair in pairs]),
        bags([document_text(pair.path, pair.qualname, pair.code) for pair in pairs]),
        bags([document_text(pair.path, pair.qualname, f"{pair.rest}\n{pair.code}") for pair in pairs]),
    )
