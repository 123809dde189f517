"""Chat models: requests, replies, context window, prompt, offered tools and grounding of answers."""
