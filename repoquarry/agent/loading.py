"""Lock of the imports of langchain and langgraph, which several threads may be the first to need."""

from __future__ import annotations

import threading
from typing import Final

LOADING: Final = threading.RLock()
"""Held while a library is imported that is imported when first needed, and while a chat model is opened, which imports its own.

Two threads that begin to import libraries with circular imports at different ends (langchain, openai, httpx) see each other's half
initialized modules: Python lets one of them continue rather than have both wait for ever.
"""
