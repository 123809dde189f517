class Item {
  show() {}
}
function use(list: Array<Item>, map: Map<string, Item>, set: Set<Item>, pair: [Item, number]) {
  list[0].show();
  // ^ calls: containers.Item.show
  map.get("a")!.show();
  // ^ calls: containers.Item.show, globalThis.Map.get
  for (const one of set) one.show();
  // ^ calls: containers.Item.show
  for (const [, one] of map) one.show();
  // ^ calls: containers.Item.show
  pair[0].show();
  // ^ calls: containers.Item.show
  list.forEach((one) => one.show());
  // ^ calls: containers.use.<lambda1>, containers.Item.show, globalThis.Array.forEach
}
