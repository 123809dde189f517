export const LIMIT = 5;
export enum Color { RED, GREEN }
export interface Point { x: number; }
export class Base {
    static MAX = 3;
    size: number = LIMIT;
    // ^ uses: limits.LIMIT
}
export function make(): Base {
    return new Base();
    // ^ calls: limits.Base
}
