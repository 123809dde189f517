"""`python -m tests.oracle.tokenizer.fuzz LIBRARY FIRST COUNT`: gives a build of the library texts of any bytes, and numbers of any value.

Each number from FIRST on is a seed, so that a failure can be repeated. The library may refuse what it is given; anything else than a
refusal or a result is for the build's sanitizers to report.
"""

import ctypes
import sys
from array import array
from collections.abc import Callable
from random import Random

from repoquarry.native import copy_bytes, tokenizer_abi

_PIECES = (
    b"getHTTPResponse", b"a_b2", b"x-y", b"'no number for %s: {x}'", b'"""', b"`", b"\\", b"'", b"%(", b"${", b"{", b"}", b"\n", b" ",
    b"\xc3\xa9", b"\xe6\x97\xa5", b"\xf0\x9f\x98\x80", b"\xed\xa0\x80", b"\xff", b"\xe6\x97", b"\xf0", b"\xc3", b"\0", b"A" * 130,
)  # fmt: skip
_LETTERS = (0xE9, 0x65E5, 0x1F600, 0xD800)


class _Fuzz:
    def __init__(self, build: ctypes.CDLL, random: Random) -> None:
        self._build, self._random = build, random

    def text(self) -> bytes:
        random = self._random
        return b"".join(random.choice((*_PIECES, random.randbytes(2))) for _ in range(random.randrange(30)))

    def number(self, good: int) -> int:
        """A number that is sometimes another."""
        return good if self._random.random() < 0.95 else self._random.choice((-1, 0, 1, 2, 3, 1000, 2**31 - 1))

    def numbers(self, count: int, most: int) -> bytes:
        return array("i", (self.number(self._random.randint(0, most)) for _ in range(count))).tobytes()

    def letters(self) -> tokenizer_abi.LetterTable:
        some = sorted(code for code in _LETTERS if self._random.random() < 0.7)
        kinds = bytes(self._random.choice((1, 3, 3, 1, self.number(1) & 0xFF)) for _ in some)
        return tokenizer_abi.LetterTable(array("i", some).tobytes(), kinds, len(some))

    def texts(self, most: int) -> tokenizer_abi.TokenizerTexts:
        texts = [self.text() for _ in range(self._random.randint(0, most))]
        sizes = array("i", (self.number(len(text)) for text in texts)).tobytes()
        return tokenizer_abi.TokenizerTexts(b"".join(texts), sum(map(len, texts)), sizes, len(texts))

    def count(self) -> None:
        """Reads the words of a file and counts them."""
        text, path, names = self.text(), self.text(), self.texts(4)
        lines = max(0, self.number(text.count(b"\n") + 1)) % 100
        version, letters = self.number(tokenizer_abi.VERSION), self.letters()
        file = tokenizer_abi.TokenizerFile(
            version, text, len(text), letters, self.numbers(lines, names.count), self._random.randbytes(lines), lines,
            path, len(path), names, self.numbers(names.count, max(0, names.count - 1)), self.numbers(names.count, 1),
        )  # fmt: skip
        asked, reading, counts = tokenizer_abi.TermRequest(), ctypes.c_void_p(), tokenizer_abi.TermCountTables()
        if self._build.repoquarry_words_read(ctypes.byref(file), ctypes.byref(asked), ctypes.byref(reading)):
            return
        parts = b"".join(self.term(True) for _ in range(copy_bytes(asked.parts, asked.parts_bytes).count(b"\n")))
        odd = b"".join(self.terms() for _ in range(asked.odd_count))
        terms = tokenizer_abi.TermResponse(parts, self.end(parts), odd, self.end(odd))
        if self._build.repoquarry_words_count(reading, ctypes.byref(terms), ctypes.byref(counts)) == 0:
            copy_bytes(counts.terms, counts.term_count * 8)
            copy_bytes(counts.body, counts.body_rows * 16)
            copy_bytes(counts.names, counts.name_rows * 12)
            copy_bytes(counts.bigrams, counts.bigram_rows * 12)
            copy_bytes(counts.phrases, counts.phrase_count * 8)
        self._build.repoquarry_words_free(reading)

    def end(self, block: bytes) -> int:
        """The size of a block, sometimes less."""
        return self._random.randint(0, len(block)) if self._random.random() < 0.03 else len(block)

    def term(self, none: bool) -> bytes:
        if none and self._random.random() < 0.2:
            return bytes(8) + b"\xff\xff"
        said = self._random.choice((b"", b"=", b"abc", b"=whole"))
        return self._random.randbytes(8) + (self.number(len(said)) & 0xFFFF).to_bytes(2, "little") + said

    def terms(self) -> bytes:
        count = self._random.randrange(4)
        return self.number(count).to_bytes(4, "little", signed=True)[:2] + b"".join(
            self.term(False) for _ in range(count)
        )

    def bag(self) -> None:
        """Puts texts into bags and adds up vectors."""
        tokens, made, random = self.texts(8), ctypes.c_void_p(), self._random
        if self._build.repoquarry_vocabulary(
            ctypes.c_int64(self.number(tokenizer_abi.VERSION)), ctypes.byref(tokens), ctypes.byref(made)
        ):
            return
        texts, odd, limit = self.texts(4), self.texts(3), random.randrange(6)
        known = self.numbers(odd.count, max(0, tokens.count - 1))
        first = array("q", range(odd.count + 1)).tobytes()
        given = tokenizer_abi.BagBuffers(
            self.number(tokenizer_abi.VERSION), texts, self.letters(), odd, known, first, limit
        )
        found = (ctypes.c_int32 * (texts.count * limit))()
        offsets = (ctypes.c_int64 * (texts.count + 1))()
        if self._build.repoquarry_bags(made, ctypes.byref(given), found, offsets) == 0:
            self.add_up(found, offsets, tokens.count, limit)
        self._build.repoquarry_vocabulary_free(made)

    def add_up(
        self, tokens: ctypes.Array[ctypes.c_int32], offsets: ctypes.Array[ctypes.c_int64], known: int, limit: int
    ) -> None:
        dimension, bags = self._random.choice((1, 16, 19)), len(offsets) - 1
        vectors = (ctypes.c_int8 * (known * dimension))()
        weights, positions = (ctypes.c_float * known)(), (ctypes.c_float * limit)()
        sums = (ctypes.c_float * (bags * dimension))()
        for at in range(len(tokens)):
            tokens[at] = self.number(tokens[at])
        address = ctypes.addressof
        given = tokenizer_abi.BagSums(
            self.number(tokenizer_abi.VERSION), address(tokens), address(offsets), bags, address(vectors), dimension, address(weights), known,
            address(positions), limit,
        )  # fmt: skip
        self._build.repoquarry_sums(ctypes.byref(given), sums)


def run(build: ctypes.CDLL, first: int, count: int) -> None:
    """The texts of the seeds."""
    for seed in range(first, first + count):
        print(seed, file=sys.stderr, flush=True)
        fuzz = _Fuzz(build, Random(seed))
        work: Callable[[], None]
        for work in (fuzz.count, fuzz.bag):
            work()


if __name__ == "__main__":
    library = ctypes.CDLL(sys.argv[1])
    library.repoquarry_words_free.argtypes = (ctypes.c_void_p,)
    library.repoquarry_vocabulary_free.argtypes = (ctypes.c_void_p,)
    run(library, int(sys.argv[2]), int(sys.argv[3]))
    print("clean")
