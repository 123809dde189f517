export function FileView(): null { return null; }
