"""Agent tools by subject: each reads the code graph or acts in a task's workspace, and formats the result as text."""
