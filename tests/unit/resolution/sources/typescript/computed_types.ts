class Item {
  show() {}
}
class Other {
  show() {}
}
class Box {
  constructor(public item: Item, other: Other) {}
}
function load(item: Item, other: Other): Item {
  return item;
}
function make() {
  return { first: new Item(), second: () => new Other() };
  // ^ calls: computed_types.Item, computed_types.Other
}
const build = (other: Other) => other;
type Loading = (item: Item) => Other;
function use(loaded: ReturnType<typeof load>, made: ReturnType<typeof make>, given: Parameters<typeof load>, loading: ReturnType<Loading>) {
  loaded.show();
  // ^ calls: computed_types.Item.show
  made.first.show();
  // ^ calls: computed_types.Item.show
  made.second().show();
  // ^ calls: computed_types.make.second, computed_types.Other.show
  given[0].show();
  // ^ calls: computed_types.Item.show
  given[1].show();
  // ^ calls: computed_types.Other.show
  loading.show();
  // ^ calls: computed_types.Other.show
}
function all(...given: Parameters<typeof build>) {
  given[0].show();
  // ^ calls: computed_types.Other.show
}
function constructed(given: ConstructorParameters<typeof Box>) {
  given[1].show();
  // ^ calls: computed_types.Other.show
}
