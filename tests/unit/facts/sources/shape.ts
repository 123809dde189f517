export namespace Space { export function inside(): void {} export namespace Deep { export class In {} } }
export abstract class Shape<T> {
  constructor(private readonly x: T) {}
  protected abstract area(): number;
  @Input() set value(v: T) {}
  public async load(): Promise<void> { const local = (a: T): T => a; }
}
interface Api { call(): void }
enum Colour { RED }
export declare function outside(x: string): void;
export const make = <T,>(x: T) => ({ build() { return x; } });
export default function () {}
