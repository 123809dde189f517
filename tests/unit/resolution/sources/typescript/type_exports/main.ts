import { type Engine, Kind } from "./types";
import type * as types from "./types";
function run(engine: Engine, other: types.Engine) {
  engine.start();
  // ^ calls: types.Engine.start
  other.start();
  // ^ calls: types.Engine.start
}
Kind.create();
// ^ calls: types.Kind.create
