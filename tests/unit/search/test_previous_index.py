"""An index made of an earlier one: the same bytes as one that is made anew, whatever came, went or was changed."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.search import IndexBuilder, build_index
from repoquarry.graphstore.search.embeddings.embedder import Embedder
from repoquarry.graphstore.search.index.builder import PreviousIndex, ReusedFiles
from repoquarry.graphstore.search.index.place_extraction import extract_places
from repoquarry.graphstore.search.index.term_extraction import count_file_terms

Files = dict[str, str]


def _file(rng: random.Random) -> str:
    words = ["price", "cart_item", "retry_headers", "joinPaths", "'could not open it'", f"word{rng.randrange(40)}"]
    parts = [f'"""{rng.choice(words)} {rng.choice(words)}."""' if rng.random() < 0.5 else ""]
    for number in range(rng.randrange(4)):
        said = " + ".join(rng.choices(words, k=rng.randrange(1, 5)))
        parts.append(f"def {rng.choice(['load', 'save'])}_{number}(x):\n    y = {said}\n    return y\n")
    return "\n".join(parts)


def _change(files: Files, rng: random.Random) -> Files:
    after = dict(files)
    for _ in range(rng.randrange(4)):
        path = rng.choice(sorted(after))
        match rng.randrange(4):
            case 0:
                after[path] = _file(rng)
            case 1:
                after[f"a{rng.randrange(9)}/{path.rsplit('/', 1)[-1]}"] = after.pop(path)
            case 2:
                after[f"m{rng.randrange(99)}.py"] = _file(rng)
            case _ if len(after) > 1:
                del after[path]
    return after


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("embeds", [False, True])
def test_it_has_the_bytes_of_a_new_one(
    make_library: Callable[..., Any], embedder: Embedder, tmp_path: Path, seed: int, embeds: bool
) -> None:
    rng, model = random.Random(seed), embedder if embeds else None
    before = {f"m{number}.py": _file(rng) for number in range(6)} | {"read.md": "# Prices\n\nof a cart item\n"}
    after = _change(before, rng)
    library = make_library({"before": before, "after": after})
    build_index(library.graph("before"), before.__getitem__, tmp_path / "before", model)
    build_index(library.graph("after"), after.__getitem__, tmp_path / "anew" / "r", model)
    keys = {path: _key(text) for path, text in before.items()}
    earlier = PreviousIndex.open(tmp_path / "before", keys, model.revision if model is not None else None)
    kept = frozenset(path for path, text in after.items() if earlier.holds(path, _key(text)))
    places, read = extract_places(library.graph("after")), list[str]()

    def text_of(path: str) -> str:
        read.append(path)
        return after[path]

    with IndexBuilder(tmp_path / "spliced", text_of, model) as draft:
        standings = [places.standing(places.by_path[path]) for path in sorted(after.keys() - kept)]
        files = [(one.path, count_file_terms(one, after[one.path])) for one in standings]
        draft.index_texts(files, ReusedFiles(earlier, kept))
        draft.index_vectors({}, lambda path: places.standing(places.by_path[path]))
        draft.finish(library.graph("after"), tmp_path / "spliced" / "r")
    found, expected = _bytes_of(tmp_path / "spliced" / "r"), _bytes_of(tmp_path / "anew" / "r")
    found.pop("header.msgpack"), expected.pop("header.msgpack")  # names the repository
    assert [name for name in expected if found.get(name) != expected[name]] == []
    assert set(read) <= after.keys() - kept, "a file that is kept is not read"


def test_a_damaged_one_and_one_of_another_model_are_refused(
    make_library: Callable[..., Any], embedder: Embedder, tmp_path: Path
) -> None:
    files = {"a.py": "def price(x):\n    return x\n"}
    build_index(make_library({"one": files}).graph("one"), files.__getitem__, tmp_path / "r", embedder)
    with pytest.raises(NotFoundError):
        PreviousIndex.open(tmp_path / "r", {}, "another model")
    counts = tmp_path / "r" / "body.counts.npy"
    counts.write_bytes(counts.read_bytes()[:-1] + b"\x7f")
    with pytest.raises(StoreCorruptError, match="body"):
        PreviousIndex.open(tmp_path / "r", {}, embedder.revision)
