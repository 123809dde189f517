export function freeze(value) {
  return Object.freeze(value);
  // ^ calls: globalThis.Object.freeze
}
