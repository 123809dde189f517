enum Color {
  Red = next(),
  // ^ calls: enums.next
  Green,
}
function next() {
  return 1;
}
namespace Color {
  export function parse() {}
}
Color.parse();
// ^ calls: enums.Color.parse
