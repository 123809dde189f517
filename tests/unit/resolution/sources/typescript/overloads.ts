class A {
  a() {}
}
function make(kind: "a"): A;
function make(kind: number): undefined;
function make(kind: any): any {
  return kind();
  // ^ unresolved: unknown value
}
make("a").a();
// ^ calls: overloads.make, overloads.A.a
class Store {
  get(key: string): A;
  get(key: number): A;
  get(key: any) {
    return key;
  }
}
new Store().get("x").a();
// ^ calls: overloads.Store, overloads.Store.get, overloads.A.a
