export function QueryView(): null { return null; }
