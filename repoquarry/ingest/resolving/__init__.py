"""The resolution in a process of its own: who asks (`apart`), the process that answers (`resolver`), and what is kept of the answer (`kept`)."""
