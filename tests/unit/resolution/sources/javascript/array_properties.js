function first() {}
const functions = [first];
functions.missing();
// ^ unresolved: dynamic attribute
functions.indexOf(first);
// ^ calls: globalThis.Array.indexOf
functions[0]();
// ^ calls: array_properties.first
