// Declarations decide: fields that a subclass declares again, own abstract methods, constructors that nobody writes.
class Store {
  find() {}
}
class DeepStore extends Store {
  find() {}
}
class Base {
  readonly store: Store;
  constructor(store: Store) {
    this.store = store;
  }
}
class Deep extends Base {
  declare readonly store: DeepStore;
  read() {
    this.store.find();
    // ^ calls: declared_members.DeepStore.find
  }
}
new Deep(new DeepStore());
// ^ calls: declared_members.Deep, declared_members.Base.constructor, declared_members.DeepStore
new Base(new Store());
// ^ calls: declared_members.Base, declared_members.Base.constructor, declared_members.Store
class Plain {}
interface Named {}
class Child extends Plain implements Named {
  constructor() {
    super();
    // ^ calls: declared_members.Plain
  }
}
class Column {
  copy() {}
}
class Table {
  private columns = new Map<string, Column>();
  // ^ calls: globalThis.Map
  each() {
    this.columns.forEach((column) => {
      // ^ calls: globalThis.Map.forEach, declared_members.Table.each.<lambda1>
      column.copy();
      // ^ calls: declared_members.Column.copy
    });
  }
}
export function imported(ref: import("vue").Ref<number>) {}
imported(1 as any);
// ^ calls: declared_members.imported
