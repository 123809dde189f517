"""Finding code: indexes of one repository revision, search in them, and localisation of a task without a language model."""

from __future__ import annotations

from graphstore.search.building import build
from graphstore.search.index import SearchIndex, forget, open_index
from graphstore.search.library import Library, TextEmbedder

__all__ = ["Library", "SearchIndex", "TextEmbedder", "build", "forget", "open_index"]
