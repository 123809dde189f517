"""The agent: a LangGraph graph over interchangeable policies and tools that explore the stored graph."""
