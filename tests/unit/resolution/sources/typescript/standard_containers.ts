class Item {
  show() {}
  name = "";
}
function use(map: Map<string, Item>, record: Record<string, Item>, list: ReadonlyArray<Item>, promise: Promise<Item[]>, nested: Map<string, Set<Item>>) {
  map.get("a")?.show();
  // ^ calls: standard_containers.Item.show, globalThis.Map.get
  for (const one of map.values()) one.show();
  // ^ calls: standard_containers.Item.show, globalThis.Map.values
  for (const [, one] of map.entries()) one.show();
  // ^ calls: standard_containers.Item.show, globalThis.Map.entries
  map.forEach((one) => one.show());
  // ^ calls: standard_containers.use.<lambda1>, standard_containers.Item.show, globalThis.Map.forEach
  Object.values(record).forEach((one) => one.show());
  // ^ calls: standard_containers.use.<lambda2>, standard_containers.Item.show, globalThis.Array.forEach, globalThis.Object.values
  for (const [key, one] of Object.entries(record)) one.show();
  // ^ calls: standard_containers.Item.show, globalThis.Object.entries
  Array.from(map.values())[0].show();
  // ^ calls: standard_containers.Item.show, globalThis.Array.from, globalThis.Map.values
  [...map.values()].map((one) => one)[0].show();
  // ^ calls: standard_containers.Item.show, globalThis.Array.map, globalThis.Map.values, standard_containers.use.<lambda3>
  list.filter((one) => one.name).find((one) => one.name)!.show();
  // ^ calls: standard_containers.Item.show, globalThis.Array.filter, globalThis.Array.find, standard_containers.use.<lambda4>, standard_containers.use.<lambda5>
  promise.then((all) => all[0].show());
  // ^ calls: standard_containers.Item.show, globalThis.Promise.then, standard_containers.use.<lambda6>
  for (const one of nested.get("x")!) one.show();
  // ^ calls: standard_containers.Item.show, globalThis.Map.get
  const [head, ...tail] = list;
  head.show();
  // ^ calls: standard_containers.Item.show
  tail[0].show();
  // ^ calls: standard_containers.Item.show
  list.slice(1).concat(list).at(0)!.show();
  // ^ calls: standard_containers.Item.show, globalThis.Array.slice, globalThis.Array.concat, globalThis.Array.at
  new Map(Object.entries(record)).get("x")!.show();
  // ^ calls: standard_containers.Item.show, globalThis.Object.entries, globalThis.Map, globalThis.Map.get
  Object.fromEntries(map)["x"].show();
  // ^ calls: standard_containers.Item.show, globalThis.Object.fromEntries
  list.reduce((sum, one) => one).show();
  // ^ calls: standard_containers.Item.show, globalThis.Array.reduce, standard_containers.use.<lambda7>
}
async function later(all: Promise<Item>[]) {
  (await Promise.all(all))[0].show();
  // ^ calls: standard_containers.Item.show, globalThis.Promise.all
  for await (const one of all) one.show();
  // ^ calls: standard_containers.Item.show
}
class Cache {
  private entries = new Map<string, Item>();
  // ^ calls: globalThis.Map
  private lists = new Map<string, Item[]>();
  // ^ calls: globalThis.Map
  get(key: string) {
    return this.entries.get(key)!.show();
    // ^ calls: standard_containers.Item.show, globalThis.Map.get
  }
  all(key: string) {
    for (const one of this.lists.get(key) ?? []) one.show();
    // ^ calls: standard_containers.Item.show, globalThis.Map.get
  }
}
