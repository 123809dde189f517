"""Agent for questions and tasks about indexed repositories: a LangGraph graph in which a chat model calls tools or rules answer."""

from __future__ import annotations

import threading
from typing import Final

LOADING: Final = threading.RLock()
"""Lock that is held while langchain or langgraph is first imported, and while a chat model is opened, which imports its own libraries.

Threads that import libraries with circular imports from different ends get half initialized modules: Python does not let both wait.
"""
