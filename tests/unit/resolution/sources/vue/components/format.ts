export function format(value: unknown) {
  return value;
}
