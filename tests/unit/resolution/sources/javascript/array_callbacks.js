class Item {
  show() {}
}
const items = [new Item()];
// ^ calls: array_callbacks.Item
items.forEach((item) => item.show());
// ^ calls: array_callbacks.<lambda1>, array_callbacks.Item.show, globalThis.Array.forEach
const shown = items
  .filter((item) => true)
  // ^ calls: array_callbacks.<lambda2>, globalThis.Array.filter
  .map((item) => ({ item }));
// ^ calls: array_callbacks.<lambda3>, globalThis.Array.map
shown[0].item.show();
// ^ calls: array_callbacks.Item.show
items.push(new Item());
// ^ calls: array_callbacks.Item, globalThis.Array.push
items.find(Boolean).show();
// ^ calls: array_callbacks.Item.show, globalThis.Array.find, globalThis.Boolean
