function f() {}
const table = { a: f };
for (const key in table) table[key]();
// ^ calls: for_in.f
