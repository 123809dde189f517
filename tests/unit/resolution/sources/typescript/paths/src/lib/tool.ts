export function tool() {}
