export class Pool {}
export function open() {}
