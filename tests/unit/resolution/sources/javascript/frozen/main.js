import { freeze } from "./freeze.js";

const keep = (value) => freeze(value);
// ^ calls: freeze.freeze
const first = keep({ run() {} });
// ^ calls: main.keep
const second = keep({ run() {} });
// ^ calls: main.keep

function use() {
  first.run();
  // ^ calls: main.first.run
  second.run();
  // ^ calls: main.second.run
}
