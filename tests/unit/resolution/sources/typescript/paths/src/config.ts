export function config() {}
