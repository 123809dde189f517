"""The agent: a LangGraph graph over interchangeable policies and tools that explore the stored graph."""

from __future__ import annotations

import threading
from typing import Final

LOADING: Final = threading.RLock()
"""Lock that is held while langchain or langgraph is first imported, and while a chat model is opened, which imports its own libraries.

Threads that import libraries with circular imports from different ends get half initialized modules: Python does not let both wait.
"""
