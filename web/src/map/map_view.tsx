export function MapView(): null { return null; }
