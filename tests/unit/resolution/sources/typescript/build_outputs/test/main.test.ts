import { start } from "../output-js/index.js";
import { stop } from "../dist/later";
import { start as begin } from "..";

export function run(): void {
  start();
  // ^ calls: src.start
  stop();
  // ^ calls: src/later.stop
  begin();
  // ^ calls: src.start
}
