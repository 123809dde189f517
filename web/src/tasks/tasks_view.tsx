export function TasksView(): null { return null; }
