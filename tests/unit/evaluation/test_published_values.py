"""Defaults that the papers publish: settings, and options of `repoquarry evaluate`."""

import inspect

import pytest

from repoquarry.evaluation.command import evaluate_command
from repoquarry.graphstore.settings import ContextSettings, SelectionSettings
from repoquarry.ingest.settings import IngestSettings


def test_limits_of_contexts_and_views_are_the_published_ones() -> None:
    """RepoMaster (arXiv 2505.21577), sections 3.3.3 and 4.2."""
    context, selection = ContextSettings(), SelectionSettings()
    assert (context.tokens, selection.view_tokens) == (8_000, 8_000)
    assert (selection.chunk_tokens, selection.chunks) == (1_000, 4)
    assert (IngestSettings().core_classes, context.modules) == (10, 20)


@pytest.mark.parametrize(
    ("option", "published"),
    [("command_seconds", 600.0), ("steps", 100), ("seconds", 1_800.0), ("runs", 2), ("per_language", 125)],
)
def test_options_of_evaluations_default_to_the_published_ones(option: str, published: float) -> None:
    """GitTaskBench (arXiv 2508.18993), tables 3 and 7; SWE-PolyBench (arXiv 2504.08703), section 4.3."""
    assert inspect.signature(evaluate_command).parameters[option].default.default == published
