function f() {}
const base = { run: f };
const more = { ...base, other: 1 };
more.run();
// ^ calls: object_spread.f
