export function stop(): void {}
