"""ctypes structures of the call resolution library's C interface (`abi.h`): encoding of its input, copying of its output."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from repoquarry.languages.facts import ConstraintGraph, TextPool
from repoquarry.native import copy_bytes

VERSION = 10
_UNIT_SHIFTS = (2, 2, 2, 2, 2, 2, 0, 2)
"""From bytes to numbers: the arrays of a unit contain int32, except for the text of its symbols."""


class KernelInts(ctypes.Structure):
    """Array of int32."""

    _fields_ = (("data", ctypes.c_void_p), ("size", ctypes.c_int64))


class KernelTexts(ctypes.Structure):
    """Strings in one block, and the number of code points of each."""

    _fields_ = (
        ("text", ctypes.c_void_p),
        ("bytes", ctypes.c_int64),
        ("counts", ctypes.c_void_p),
        ("size", ctypes.c_int64),
    )


class KernelInput(ctypes.Structure):
    """Input of the kernel."""

    _fields_ = (
        ("version", ctypes.c_int64),
        ("units", ctypes.c_void_p),
        ("unit_count", ctypes.c_int64),
        ("definitions", KernelInts),
        ("definition_counts", KernelInts),
        ("definition_names", KernelTexts),
        ("definition_paths", KernelTexts),
        ("unit_flags", KernelInts),
        ("unit_folders", KernelTexts),
        ("unit_names", KernelTexts),
        ("unit_roots", KernelTexts),
        ("roots", KernelTexts),
        ("last_roots", KernelTexts),
        ("last_roots_of", KernelInts),
        ("last_roots_from", KernelInts),
        ("module_paths", KernelTexts),
        ("module_places", KernelInts),
        ("namespaces", KernelTexts),
        ("import_places", KernelInts),
        ("import_specifiers", KernelTexts),
        ("members", KernelInts),
        ("exports_of", KernelInts),
        ("exports_from", KernelInts),
        ("exports", KernelTexts),
        ("extra_flows", KernelInts),
        ("injected", KernelInts),
        ("unit_stems", KernelTexts),
        ("variables", KernelInts),
        ("variable_names", KernelTexts),
        ("reported_units", ctypes.c_int64),
        ("import_rows", KernelInts),
        ("import_modules", KernelTexts),
        ("import_names", KernelTexts),
        ("import_aliases", KernelTexts),
        ("export_rows", KernelInts),
        ("export_names", KernelTexts),
        ("letters", KernelTexts),
        ("letter_cases", KernelInts),
        ("tables", KernelTexts),
        ("table_sizes", KernelInts),
        ("rules", KernelTexts),
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


class KernelOutput(ctypes.Structure):
    """Output of the kernel."""

    _fields_ = (
        ("names", KernelTexts),
        ("calls", KernelInts),
        ("call_lines", KernelInts),
        ("call_from", KernelInts),
        ("unresolved", KernelInts),
        ("unresolved_lines", KernelInts),
        ("unresolved_from", KernelInts),
        ("candidates", KernelInts),
        ("candidates_from", KernelInts),
        ("externals", KernelInts),
        ("import_targets", KernelInts),
        ("inherits", KernelInts),
        ("overrides", KernelInts),
        ("references", KernelInts),
        ("reference_lines", KernelInts),
        ("reference_from", KernelInts),
        ("export_targets", KernelInts),
        ("export_from", KernelInts),
        ("registered", KernelInts),
        ("decorated", KernelInts),
        ("included", KernelInts),
        ("test_classes", KernelInts),
        ("uses", KernelInts),
        ("use_lines", KernelInts),
        ("use_from", KernelInts),
        ("budget_hit", ctypes.c_int64),
        ("steps_left", ctypes.c_int64),
        ("memory_bytes", ctypes.c_int64),
        ("trace_objects", KernelInts),
        ("trace_held", KernelInts),
        ("trace_held_from", KernelInts),
        ("trace_reached", KernelInts),
        ("trace_outside", KernelInts),
    )


class ForeignBuffers:
    """Owner of the memory that the structures created here point to."""

    def __init__(self) -> None:
        self._kept: list[object] = []

    def raw(self, numbers: bytes) -> KernelInts:
        """Wrap int32 numbers in bytes without copying."""
        self._kept.append(numbers)
        return KernelInts(ctypes.cast(ctypes.c_char_p(numbers), ctypes.c_void_p), len(numbers) >> 2)

    def ints(self, numbers: Sequence[int]) -> KernelInts:
        return self.raw(array("i", numbers).tobytes())

    def doubles(self, numbers: Sequence[float]) -> int | None:
        """Return the address of floating-point numbers."""
        raw = array("d", numbers).tobytes()
        self._kept.append(raw)
        return ctypes.cast(ctypes.c_char_p(raw), ctypes.c_void_p).value

    def texts(self, texts: Sequence[str]) -> KernelTexts:
        joined = TextPool.of(texts)
        return self.encoded(joined.text, joined.counts)

    def encoded(self, text: bytes, counts: bytes) -> KernelTexts:
        """Wrap strings in one block and the code points of each, as bytes, without copying."""
        self._kept += (text, counts)
        places = (ctypes.cast(ctypes.c_char_p(one), ctypes.c_void_p) for one in (text, counts))
        return KernelTexts(next(places), len(text), next(places), len(counts) >> 2)

    def units(self, units: Sequence[ConstraintGraph], mentions: Sequence[bytes]) -> int | None:
        """Return the address of the arrays of files, without copying and without an object per array, because there are thousands."""
        arrays = [
            array
            for one, own_mentions in zip(units, mentions, strict=True)
            for array in (
                one.code,
                one.first,
                one.roots,
                one.scopes,
                one.functions,
                own_mentions,
                one.symbols.text,
                one.symbols.counts,
            )
        ]
        if not arrays:
            return None
        places = (ctypes.c_char_p * len(arrays))(*arrays)
        addresses = np.frombuffer(copy_bytes(ctypes.addressof(places), ctypes.sizeof(places)), np.int64)
        rows = np.empty((len(units), len(_UNIT_SHIFTS), 2), np.int64)
        rows[:, :, 0] = addresses.reshape(len(units), -1)
        rows[:, :, 1] = np.array(list(map(len, arrays))).reshape(len(units), -1) >> np.array(_UNIT_SHIFTS)
        self._kept += (places, rows)
        return int(rows.ctypes.data)


class KernelResult:
    """Copy of the kernel's output."""

    def __init__(self, output: KernelOutput, block: ForeignBuffers) -> None:
        self.output = output
        """Structure that points into `block`."""
        self._block = block

    @classmethod
    def of(cls, given: KernelOutput) -> KernelResult:
        """Copy everything that `given` points to."""
        copy, block = KernelOutput(), ForeignBuffers()
        for name, kind in KernelOutput._fields_:
            value = getattr(given, name)
            if kind is KernelInts:
                value = block.raw(copy_bytes(value.data, value.size * 4))
            elif kind is KernelTexts:
                value = block.encoded(copy_bytes(value.text, value.bytes), copy_bytes(value.counts, value.size * 4))
            setattr(copy, name, value)
        return cls(copy, block)


def read_ints(ints: KernelInts) -> list[int]:
    """Return a copy of an array as a list."""
    return array("i", copy_bytes(ints.data, ints.size * 4)).tolist()


def read_array(ints: KernelInts) -> NDArray[np.int32]:
    """Return a copy of a large array."""
    return np.frombuffer(copy_bytes(ints.data, ints.size * 4), dtype=np.int32)


def read_rows(ints: KernelInts, columns: int) -> Iterator[tuple[int, ...]]:
    """Yield the rows of an array with this number of columns."""
    numbers = iter(read_ints(ints))
    return zip(*[numbers] * columns, strict=True)


def read_parts(ints: KernelInts, starts: KernelInts) -> Iterator[tuple[int, ...]]:
    """Yield the parts of an array, by their start positions."""
    numbers, cuts = read_ints(ints), read_ints(starts)
    return (tuple(numbers[start:end]) for start, end in pairwise(cuts))


class LazyTexts:
    """Strings of the output by position, decoded on demand because few names are needed."""

    def __init__(self, texts: KernelTexts) -> None:
        self._whole = copy_bytes(texts.text, texts.bytes).decode("utf-8", "surrogatepass")
        counts = np.frombuffer(copy_bytes(texts.counts, texts.size * 4), dtype=np.int32)
        self._ends = np.cumsum(counts, dtype=np.int64)
        self._counts = counts
        self._known: dict[int, str] = {}

    def __getitem__(self, at: int) -> str:
        found = self._known.get(at)
        if found is None:
            end = int(self._ends[at])
            found = self._known[at] = self._whole[end - int(self._counts[at]) : end]
        return found
