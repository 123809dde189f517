"""Collections are rare while a repository is indexed, and as before afterwards, also with parallel indexing; large blocks are released when freed."""

import gc
import platform
import subprocess
import sys

import pytest

from repoquarry.ingest.memory_tuning import reduce_gc_frequency


def test_collections_are_rare_inside_and_as_before_afterwards() -> None:
    before = gc.get_threshold()
    with reduce_gc_frequency():
        with pytest.raises(ValueError, match="inner"), reduce_gc_frequency():
            raise ValueError("inner")
        assert gc.get_threshold()[0] >= 1_000 * before[0]
        runs = gc.get_stats()[0]["collections"]
        kept = [[number] for number in range(100_000)]
        assert gc.get_stats()[0]["collections"] == runs
    assert gc.get_threshold() == before
    assert len(kept) == 100_000


_LEAVES_A_HOLE = """
import os, sys
from repoquarry.ingest.memory_tuning import mmap_large_allocations

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

if sys.argv[1] == "mapped":
    mmap_large_allocations()
bytearray(30 << 20)  # what is freed is from now on too small for glibc to map it by itself
blocks = [bytearray(2 << 20) for _ in range(32)]
full = resident()
del blocks[:-1]
print((full - resident()) >> 20)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library maps as it likes")
@pytest.mark.parametrize(("how", "least", "most"), [("mapped", 60, 64), ("left alone", -8, 8)])
def test_large_blocks_are_returned_while_a_later_one_is_in_use(how: str, least: int, most: int) -> None:
    told = subprocess.run([sys.executable, "-c", _LEAVES_A_HOLE, how], capture_output=True, check=True, timeout=60)
    assert least <= int(told.stdout) <= most
