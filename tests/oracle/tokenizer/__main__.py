"""`python -m tests.oracle.tokenizer FOLDER`: lays counted words and vectors of each file of a folder beside the same in Python."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from repoquarry.graphstore.search.embeddings.embedder import normalised
from repoquarry.graphstore.search.embeddings.static import (
    MAX_TOKENS,
    SHIPPED_WEIGHTS,
    load,
    position_bucket,
    read_model,
)
from repoquarry.graphstore.search.index.place_vectors import build_embedding_texts
from repoquarry.graphstore.search.index.places import DefinitionSpans
from repoquarry.graphstore.search.index.term_extraction import count_file_terms
from repoquarry.ingest.files.worker_main import spans_of_document, spans_of_source
from repoquarry.languages.registry import is_source, language_for
from repoquarry.languages.source_text import detect_encoding
from tests.oracle.tokenizer import texts as oracle
from tests.oracle.tokenizer.bags import PlainVocabulary, sums


def main(folder: Path) -> int:
    """The number of files that differ; says which."""
    embedder, model = load(), read_model(SHIPPED_WEIGHTS)
    plain = PlainVocabulary(model.tokens)
    weights = model.scales * model.token_weights["document"]
    buckets = position_bucket(np.arange(MAX_TOKENS), len(model.position_weights["document"]))
    positions = model.position_weights["document"][buckets]
    files = differ = 0
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = path.read_bytes()
        if b"\0" in content:
            continue
        standing, text = (
            _standing(path.relative_to(folder).as_posix(), content),
            content.decode(detect_encoding(content), "replace"),
        )
        said = list(build_embedding_texts(standing, text))
        wanted = normalised(sums(plain.bags(said, MAX_TOKENS), model.vectors, weights, positions))
        same = count_file_terms(standing, text).encode() == oracle.read_texts(standing, text).encode()
        files += 1
        if not same or embedder.embed(said).tobytes() != wanted.tobytes():
            differ += 1
            print(standing.path, "words" if not same else "vectors")
    print(f"{files} files, {differ} differ")
    return differ


def _standing(path: str, content: bytes) -> DefinitionSpans:
    return spans_of_source(language_for(path).extract(path, content)) if is_source(path) else spans_of_document(path)


if __name__ == "__main__":
    raise SystemExit(1 if main(Path(sys.argv[1])) else 0)
