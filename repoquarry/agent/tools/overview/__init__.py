"""Tools that say what there is: repositories, their trees, their entry points, what a task is about."""
