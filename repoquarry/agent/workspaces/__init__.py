"""What goes into a task's workspace and comes out of it: inputs, whole trees of repositories, environments, outputs."""
