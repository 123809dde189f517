import { Shape, Square } from "./shapes";

export function measure(all: Record<string, Shape>): number {
  return Object.values(all).map((shape) => shape.area())[0];
}

export const answer = measure({ "ü": new Square(2) });
