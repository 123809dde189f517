"""TaskService: the agent's tasks, their events and their files."""
