"""Run of one agent task: LangGraph nodes that decide and call tools, routing between nodes, task state with checkpoints, events."""
