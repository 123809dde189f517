class Item {
  show() {}
}
interface Observer {
  next(item: Item): void;
  failed?: (reason: string, item: Item) => void;
  nested: { done: (item: Item) => void };
}
declare function observe(observer: Partial<Observer>): void;
observe({
  // ^ calls: contextual_objects.observe
  next(item) {
    item.show();
    // ^ calls: contextual_objects.Item.show
  },
  failed: (reason, item) => item.show(),
  // ^ calls: contextual_objects.Item.show
  nested: { done: (item) => item.show() },
  // ^ calls: contextual_objects.Item.show
});
const observer: Pick<Observer, "next"> = { next: (item) => item.show() };
// ^ calls: contextual_objects.Item.show
