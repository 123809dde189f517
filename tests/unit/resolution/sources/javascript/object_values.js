function f() {}
const table = { a: f };
for (const one of Object.values(table)) one();
// ^ calls: object_values.f, globalThis.Object.values
Object.entries(table).forEach(([key, action]) => action());
// ^ calls: object_values.<lambda1>, object_values.f, globalThis.Object.entries, globalThis.Array.forEach
