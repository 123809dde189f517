import { Circle } from "./index";

function run(using: Circle): void {
  using.draw();
  // ^ calls: types.Circle.draw
}

async function load<T>(): Promise<T> {
  return undefined as T;
}

export async function page(): Promise<unknown> {
  run(new Circle());
  // ^ calls: main.run, types.Circle
  await load<typeof import("./types")>();
  // ^ calls: main.load
  return <a href="https://example.org/?a=1&b=2&c=3">{label()}</a>;
  // ^ calls: main.label
}

function label(): string {
  return "";
}
