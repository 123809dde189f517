export interface Engine {
  start(): void;
}
export abstract class Kind {
  static create() {}
}
export type { Engine as Motor };
