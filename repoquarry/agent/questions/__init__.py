"""Question answering without a chat model: parses questions about code, queries the graph, and formats answers."""
