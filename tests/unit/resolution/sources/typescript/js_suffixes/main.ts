import { a } from "./a.js";
import b = require("./b");
import type { C } from "./c.mjs";
a();
// ^ calls: a.a
b.run();
// ^ calls: b.run
function use(c: C) {
  c.go();
  // ^ calls: c.C.go
}
