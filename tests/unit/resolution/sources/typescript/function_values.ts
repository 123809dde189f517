// The result of a value that is declared as a function.
class Page {
  text() {}
}
type Load = (name: string) => Page;
interface Loader {
  (name: string): Page;
}
function plain(load: (name: string) => Page) {
  load("a").text();
  // ^ calls: function_values.Page.text
  // ^ unresolved: unknown value
}
function alias(load: Load) {
  load("a").text();
  // ^ calls: function_values.Page.text
  // ^ unresolved: unknown value
}
function called(load: Loader) {
  load("a").text();
  // ^ calls: function_values.Page.text
  // ^ unresolved: unknown value
}
class Holder {
  first: string | ((name: string) => Page);
  constructor(private second?: Load) {}
  go() {
    this.second!("a").text();
    // ^ calls: function_values.Page.text
    // ^ unresolved: dynamic attribute
    if (typeof this.first !== "string") this.first("a").text();
    // ^ calls: function_values.Page.text
    // ^ unresolved: dynamic attribute
  }
}
