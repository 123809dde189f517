"""An index of pairs of words: a vocabulary of its own, and which places hold which pair; the files of `phrases` and `bigrams`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from repoquarry.graphstore.search.index.terms.postings import Postings
from repoquarry.graphstore.search.index.terms.vocabulary import Vocabulary


@dataclass(frozen=True)
class PairIndex:
    """Which places hold which pairs."""

    NAME: ClassVar[str]
    """What its files begin with."""

    vocabulary: Vocabulary
    postings: Postings

    def save(self, folder: Path) -> None:
        """Write `NAME.*.npy`."""
        np.save(folder / f"{self.NAME}.vocabulary.npy", self.vocabulary.sorted_digests)
        self.postings.save(folder, self.NAME)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Map what `save` wrote. Raises: OSError or ValueError when it is missing or damaged."""
        vocabulary = Vocabulary(np.load(folder / f"{cls.NAME}.vocabulary.npy", mmap_mode="r"))
        return cls(vocabulary, Postings.load(folder, cls.NAME))
