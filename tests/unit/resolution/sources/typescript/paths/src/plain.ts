export function plain() {}
