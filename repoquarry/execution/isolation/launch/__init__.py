"""Launch process of a sandboxed command: confines a child process, executes the command in it, and kills processes left running."""
