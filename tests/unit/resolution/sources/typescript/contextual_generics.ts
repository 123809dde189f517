class Subscriber<T> {
  next(value: T) {}
}
class Subject<T> extends Subscriber<T> {
  next(value: T) {}
}
class Source<T> {
  subscribe(subscriber: Subscriber<T>) {}
}
function operate<T, R>(init: (source: Source<T>, subscriber: Subscriber<R>) => void, source: any, to: any) {
  init(source, to);
  // ^ calls: contextual_generics.<lambda1>
}
class Item {
  show() {}
}
function each<T>(items: T[], visit: (item: T) => void) {
  visit(items[0]);
  // ^ calls: contextual_generics.<lambda2>
}
operate(
  // ^ calls: contextual_generics.operate
  (source, subscriber) => {
    subscriber.next(1);
    // ^ calls: contextual_generics.Subscriber.next, contextual_generics.Subject.next
    source.subscribe(subscriber);
    // ^ calls: contextual_generics.Source.subscribe
  },
  new Source(),
  // ^ calls: contextual_generics.Source
  new Subject(),
  // ^ calls: contextual_generics.Subject
);
each([new Item()], (item) => item.show());
// ^ calls: contextual_generics.each, contextual_generics.Item, contextual_generics.Item.show
