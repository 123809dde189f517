"""Static model as a torch network, and its training: every query must retrieve its own code from the batch.

A batch consists of runs from single packages, because in use the wrong answers come from the same repository. They are much harder to
distinguish from the correct answer than unrelated code.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from repoquarry.graphstore.search.embeddings.static import MAX_TOKENS, Role, StaticModel, TokenBags, position_bucket
from scripts.static_model.bags import TokenisedPairs

POSITION_BUCKETS: Final = 24
_ROLES: Final[tuple[Role, ...]] = ("query", "document")
_MAX_INVERSE_TEMPERATURE: Final = 100.0


@dataclass(frozen=True)
class TrainingSettings:
    """Hyperparameters chosen on the held-out packages; the model card repeats them."""

    dimension: int = 256
    rounds: float = 8.0
    batch: int = 1024
    run: int = 256
    """Number of pairs of one package that stay together in a batch."""
    rate: float = 3e-3
    temperature: float = 0.05
    token_dropout: float = 0.1
    """Share of tokens dropped from a training text, so that no single name decides."""
    seed: int = 0


@dataclass(frozen=True)
class Weights:
    """Trained model as float32 arrays, before quantization."""

    vectors: NDArray[np.float32]
    token_weights: dict[Role, NDArray[np.float32]]
    position_weights: dict[Role, NDArray[np.float32]]


def first_weights(vectors: NDArray[np.float32], documents: TokenBags) -> Weights:
    """Return initial weights: the given (V, d) vectors, higher weights for rare tokens, equal weights for all roles."""
    shares = np.bincount(documents.tokens, minlength=len(vectors)) / len(documents)
    # Smooth inverse frequency, damped.
    rare = np.sqrt(1e-3 / (1e-3 + shares)).astype(np.float32)
    alike = np.ones(POSITION_BUCKETS, np.float32)
    return Weights(vectors, dict.fromkeys(_ROLES, rare), dict.fromkeys(_ROLES, alike))


def resumed_weights(model: StaticModel) -> Weights:
    """Return the weights of a shipped file for continued training; quantization losses vanish quickly."""
    return Weights(model.vectors * model.scales[:, None], dict(model.token_weights), dict(model.position_weights))


class Network(torch.nn.Module):
    """Network whose token vectors are outside of autograd, because a batch uses a tenth of them."""

    def __init__(self, start: Weights, temperature: float) -> None:
        super().__init__()
        self.vectors = torch.from_numpy(start.vectors.copy())
        self.moments = torch.zeros_like(self.vectors), torch.zeros_like(self.vectors)
        tokens = np.stack([start.token_weights[role] for role in _ROLES])
        positions = np.stack([start.position_weights[role] for role in _ROLES])
        self.token_logs = torch.nn.Parameter(torch.from_numpy(tokens).log())
        self.position_logs = torch.nn.Parameter(torch.from_numpy(positions).log())
        self.inverse_temperature = torch.nn.Parameter(torch.tensor(1 / temperature).log())
        self._bucket = torch.from_numpy(position_bucket(np.arange(MAX_TOKENS), POSITION_BUCKETS))

    def pool(
        self, role: int, bags: TokenBags, columns: torch.Tensor, table: torch.Tensor, dropout: float
    ) -> torch.Tensor:
        """Return unit vectors of `bags`; the token vectors are the rows `columns` of `table`."""
        tokens = torch.from_numpy(bags.tokens).long()
        positions = torch.from_numpy(bags.positions())
        weights = (self.token_logs[role][tokens] + self.position_logs[role][self._bucket[positions]]).exp()
        if dropout:
            weights = weights * (torch.rand_like(weights) >= dropout)
        offsets = torch.from_numpy(bags.offsets[:-1])
        summed = functional.embedding_bag(columns, table, offsets, mode="sum", per_sample_weights=weights)
        return functional.normalize(summed, dim=1)

    def weights(self) -> Weights:
        tokens, positions = self.token_logs.detach().exp().numpy(), self.position_logs.detach().exp().numpy()
        return Weights(
            self.vectors.numpy().copy(),
            {role: tokens[number].copy() for number, role in enumerate(_ROLES)},
            {role: positions[number].copy() for number, role in enumerate(_ROLES)},
        )


def train(
    pairs: TokenisedPairs,
    start: Weights,
    settings: TrainingSettings,
    checkpoint: Callable[[int, int, str, Network], None],
) -> Weights:
    """Continue training from `start`; `checkpoint` is called often with (step, steps, state, network)."""
    torch.manual_seed(settings.seed)
    random = np.random.default_rng(settings.seed)
    network = Network(start, settings.temperature)
    small = torch.optim.Adam(network.parameters(), lr=settings.rate)
    steps = int(settings.rounds * len(list(batches(pairs.packages, settings, random))))
    step, mean_loss, started = 0, 0.0, time.monotonic()
    while step < steps:
        for rows in batches(pairs.packages, settings, random):
            if step == steps:
                break
            rate = settings.rate * min(1.0, (step + 1) / 100) * max(0.02, 1 - step / steps)
            loss = _step(network, small, _texts(pairs, rows, random), rate, step, settings)
            step += 1
            mean_loss = loss if step == 1 else 0.98 * mean_loss + 0.02 * loss
            if step % 100 == 0 or step == steps:
                state = f"loss {mean_loss:.3f}, {time.monotonic() - started:.0f} s"
                checkpoint(step, steps, state, network)
    return network.weights()


def _step(
    network: Network,
    small: torch.optim.Adam,
    texts: tuple[TokenBags, TokenBags],
    rate: float,
    step: int,
    settings: TrainingSettings,
) -> float:
    queries, documents = texts
    used, columns = np.unique(np.concatenate([queries.tokens, documents.tokens]), return_inverse=True)
    rows, places = torch.from_numpy(used).long(), torch.from_numpy(columns)
    table = network.vectors[rows].requires_grad_()
    cut = len(queries.tokens)
    found = network.pool(0, queries, places[:cut], table, settings.token_dropout)
    wanted = network.pool(1, documents, places[cut:], table, settings.token_dropout)
    scale = network.inverse_temperature.exp().clamp(max=_MAX_INVERSE_TEMPERATURE)
    likeness = scale * found @ wanted.T
    truth = torch.arange(len(queries))
    loss = (functional.cross_entropy(likeness, truth) + functional.cross_entropy(likeness.T, truth)) / 2
    small.zero_grad()
    loss.backward()
    for group in small.param_groups:
        group["lr"] = rate
    small.step()
    _lazy_adam(network, rows, table.grad, rate, step)
    return float(loss.detach())


def _lazy_adam(network: Network, rows: torch.Tensor, gradient: torch.Tensor | None, rate: float, step: int) -> None:
    """Apply Adam to the rows of the batch only; the moments of other rows stay unchanged."""
    if gradient is None:
        raise AssertionError("the batch used no token")
    first, second = (moment[rows] for moment in network.moments)
    first = first.lerp_(gradient, 0.1)
    second = second.lerp_(gradient.square(), 0.001)
    for moment, rows_of_it in zip(network.moments, (first, second), strict=True):
        moment[rows] = rows_of_it
    change = first / (1 - 0.9 ** (step + 1)) / ((second / (1 - 0.999 ** (step + 1))).sqrt_() + 1e-8)
    network.vectors[rows] -= rate * change


def batches(
    packages: NDArray[np.int64], settings: TrainingSettings, random: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """Yield batches of row numbers: runs of one package each; small packages are combined."""
    runs: list[NDArray[np.int64]] = []
    leftover: list[NDArray[np.int64]] = []
    for package in np.unique(packages):
        rows = random.permutation(np.flatnonzero(packages == package))
        whole = len(rows) // settings.run * settings.run
        runs.extend(rows[:whole].reshape(-1, settings.run))
        leftover.append(rows[whole:])
    rest = np.concatenate(leftover)
    whole = len(rest) // settings.run * settings.run
    runs.extend(rest[:whole].reshape(-1, settings.run))
    order = random.permutation(len(runs))
    width = settings.batch // settings.run
    for start in range(0, len(order) - width + 1, width):
        yield np.concatenate([runs[number] for number in order[start : start + width]])


def take(bags: TokenBags, rows: NDArray[np.int64]) -> TokenBags:
    """Return the bags of `rows`, in that order."""
    starts, lengths = bags.offsets[rows], bags.lengths[rows]
    offsets = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], lengths)
    return TokenBags(bags.tokens[np.repeat(starts, lengths) + within], offsets)


def _texts(pairs: TokenisedPairs, rows: NDArray[np.int64], random: np.random.Generator) -> tuple[TokenBags, TokenBags]:
    # A complete docstring is never paired with the document that contains most of it.
    forms = (
        (pairs.lines, pairs.documents),
        (pairs.paragraphs, pairs.documents),
        (pairs.proses, pairs.documents),
        (pairs.lines, pairs.documents_with_rest),
        (pairs.paragraphs, pairs.documents_with_rest),
    )
    queries, documents = forms[random.choice(len(forms), p=[0.4, 0.25, 0.15, 0.12, 0.08])]
    return take(queries, rows), take(documents, rows)
