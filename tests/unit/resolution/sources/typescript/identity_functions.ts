function freeze<Value>(value: Value): Readonly<Value> {
  return Object.freeze(value);
  // ^ calls: globalThis.Object.freeze
}

function twice<Value extends object>(value: Value): Value {
  return freeze(value);
  // ^ calls: identity_functions.freeze
}

const first = freeze({ run() {} });
// ^ calls: identity_functions.freeze
const second = freeze({ run() {} });
// ^ calls: identity_functions.freeze
const third = twice({ run() {} });
// ^ calls: identity_functions.twice
const fourth = twice({ run() {} });
// ^ calls: identity_functions.twice

export function use(): void {
  first.run();
  // ^ calls: identity_functions.first.run
  second.run();
  // ^ calls: identity_functions.second.run
  third.run();
  // ^ calls: identity_functions.third.run
  fourth.run();
  // ^ calls: identity_functions.fourth.run
}
