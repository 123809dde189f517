"""The C structures of `kernel/abi.h`, and arrays as what they point at."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from repoquarry.graphstore.native import copied
from repoquarry.languages.facts import AssignmentGraph, Symbols

VERSION = 6
_UNIT_SHIFTS = (2, 2, 2, 2, 2, 0, 2)
"""From bytes to numbers: arrays of a unit hold int32, but for the text of its symbols."""


class Ints(ctypes.Structure):
    """int32 numbers."""

    _fields_ = (("data", ctypes.c_void_p), ("size", ctypes.c_int64))


class Texts(ctypes.Structure):
    """Texts in one block, and the number of code points of each."""

    _fields_ = (
        ("text", ctypes.c_void_p),
        ("bytes", ctypes.c_int64),
        ("counts", ctypes.c_void_p),
        ("size", ctypes.c_int64),
    )


class Input(ctypes.Structure):
    """What the kernel is given."""

    _fields_ = (
        ("version", ctypes.c_int64),
        ("units", ctypes.c_void_p),
        ("unit_count", ctypes.c_int64),
        ("definitions", Ints),
        ("definition_counts", Ints),
        ("definition_names", Texts),
        ("definition_paths", Texts),
        ("unit_flags", Ints),
        ("unit_folders", Texts),
        ("unit_names", Texts),
        ("unit_roots", Texts),
        ("roots", Texts),
        ("last_roots", Texts),
        ("last_roots_of", Ints),
        ("last_roots_from", Ints),
        ("module_paths", Texts),
        ("module_places", Ints),
        ("namespaces", Texts),
        ("import_places", Ints),
        ("import_specifiers", Texts),
        ("members", Ints),
        ("exports_of", Ints),
        ("exports_from", Ints),
        ("exports", Texts),
        ("extra_flows", Ints),
        ("injected", Ints),
        ("import_rows", Ints),
        ("import_modules", Texts),
        ("import_names", Texts),
        ("export_rows", Ints),
        ("export_names", Texts),
        ("letters", Texts),
        ("letter_cases", Ints),
        ("tables", Texts),
        ("table_sizes", Ints),
        ("rules", Texts),
        ("rule_confidence", ctypes.c_void_p),
        ("rule_confidences", ctypes.c_int64),
        ("flags", ctypes.c_int64),
        ("steps", ctypes.c_int64),
        ("targets_per_site", ctypes.c_int64),
        ("objects_per_variable", ctypes.c_int64),
        ("memory_bytes", ctypes.c_int64),
        ("milliseconds", ctypes.c_int64),
        ("trace", ctypes.c_int64),
    )


class Output(ctypes.Structure):
    """What the kernel gives."""

    _fields_ = (
        ("names", Texts),
        ("calls", Ints),
        ("call_lines", Ints),
        ("call_from", Ints),
        ("unresolved", Ints),
        ("unresolved_lines", Ints),
        ("unresolved_from", Ints),
        ("candidates", Ints),
        ("candidates_from", Ints),
        ("externals", Ints),
        ("import_targets", Ints),
        ("inherits", Ints),
        ("overrides", Ints),
        ("references", Ints),
        ("reference_lines", Ints),
        ("reference_from", Ints),
        ("export_targets", Ints),
        ("export_from", Ints),
        ("registered", Ints),
        ("decorated", Ints),
        ("included", Ints),
        ("test_classes", Ints),
        ("budget_hit", ctypes.c_int64),
        ("steps_left", ctypes.c_int64),
        ("memory_bytes", ctypes.c_int64),
        ("trace_objects", Ints),
        ("trace_held", Ints),
        ("trace_held_from", Ints),
        ("trace_reached", Ints),
        ("trace_outside", Ints),
    )


class Block:
    """Keeps alive what the structures made here point at."""

    def __init__(self) -> None:
        self._kept: list[object] = []

    def raw(self, numbers: bytes) -> Ints:
        """Numbers that are bytes already, not copied."""
        self._kept.append(numbers)
        return Ints(ctypes.cast(ctypes.c_char_p(numbers), ctypes.c_void_p), len(numbers) >> 2)

    def ints(self, numbers: Sequence[int]) -> Ints:
        """Numbers."""
        return self.raw(array("i", numbers).tobytes())

    def doubles(self, numbers: Sequence[float]) -> int | None:
        """The address of floating-point numbers."""
        raw = array("d", numbers).tobytes()
        self._kept.append(raw)
        return ctypes.cast(ctypes.c_char_p(raw), ctypes.c_void_p).value

    def texts(self, texts: Sequence[str]) -> Texts:
        """Texts."""
        joined = Symbols.of(texts)
        return self.encoded(joined.text, joined.counts)

    def encoded(self, text: bytes, counts: bytes) -> Texts:
        """Texts in one block, and as bytes the number of code points of each; not copied."""
        self._kept += (text, counts)
        places = (ctypes.cast(ctypes.c_char_p(one), ctypes.c_void_p) for one in (text, counts))
        return Texts(next(places), len(text), next(places), len(counts) >> 2)

    def units(self, units: Sequence[AssignmentGraph]) -> int | None:
        """The address of files' arrays, not copied: in thousands, so without an object for each array of each file."""
        arrays = [
            array
            for one in units
            for array in (
                one.code,
                one.first,
                one.roots,
                one.scopes,
                one.functions,
                one.symbols.text,
                one.symbols.counts,
            )
        ]
        if not arrays:
            return None
        places = (ctypes.c_char_p * len(arrays))(*arrays)
        addresses = np.frombuffer(copied(ctypes.addressof(places), ctypes.sizeof(places)), np.int64)
        rows = np.empty((len(units), len(_UNIT_SHIFTS), 2), np.int64)
        rows[:, :, 0] = addresses.reshape(len(units), -1)
        rows[:, :, 1] = np.array(list(map(len, arrays))).reshape(len(units), -1) >> np.array(_UNIT_SHIFTS)
        self._kept += (places, rows)
        return int(rows.ctypes.data)


class Answer:
    """A copy of what the kernel gave."""

    def __init__(self, output: Output, block: Block) -> None:
        self.output = output
        """Points into `block`."""
        self._block = block

    @classmethod
    def of(cls, given: Output) -> Answer:
        """Copies everything that `given` points at."""
        copy, block = Output(), Block()
        for name, kind in Output._fields_:
            value = getattr(given, name)
            if kind is Ints:
                value = block.raw(copied(value.data, value.size * 4))
            elif kind is Texts:
                value = block.encoded(copied(value.text, value.bytes), copied(value.counts, value.size * 4))
            setattr(copy, name, value)
        return cls(copy, block)


def read_ints(ints: Ints) -> list[int]:
    """A copy of numbers that the kernel gave."""
    return array("i", copied(ints.data, ints.size * 4)).tolist()


def read_array(ints: Ints) -> NDArray[np.int32]:
    """As `read_ints`, for very many."""
    return np.frombuffer(copied(ints.data, ints.size * 4), dtype=np.int32)


def read_rows(ints: Ints, columns: int) -> Iterator[tuple[int, ...]]:
    """Numbers that the kernel gave, so many in a row."""
    numbers = iter(read_ints(ints))
    return zip(*[numbers] * columns, strict=True)


def read_parts(ints: Ints, starts: Ints) -> Iterator[tuple[int, ...]]:
    """Numbers that the kernel gave, cut where each part begins."""
    numbers, cuts = read_ints(ints), read_ints(starts)
    return (tuple(numbers[start:end]) for start, end in pairwise(cuts))


class GivenTexts:
    """Texts that the kernel gave, by position; cut out when they are asked for, as few of its many names are."""

    def __init__(self, texts: Texts) -> None:
        self._whole = copied(texts.text, texts.bytes).decode("utf-8", "surrogatepass")
        counts = np.frombuffer(copied(texts.counts, texts.size * 4), dtype=np.int32)
        self._ends = np.cumsum(counts, dtype=np.int64)
        self._counts = counts
        self._known: dict[int, str] = {}

    def __getitem__(self, at: int) -> str:
        found = self._known.get(at)
        if found is None:
            end = int(self._ends[at])
            found = self._known[at] = self._whole[end - int(self._counts[at]) : end]
        return found
