"""The commands: a file each, with a function `command`; `program` lists them with their summaries."""
