import { somewhere } from "outside";
class Item {
  show() {}
}
function listen(target: EventTarget, button: HTMLElement, items: Item[]) {
  target.addEventListener("click", (event) => event.preventDefault());
  // ^ calls: globalThis.EventTarget.addEventListener, globalThis.Event.preventDefault
  button.addEventListener("click", function (event) { event.stopPropagation(); });
  // ^ calls: globalThis.HTMLElement.addEventListener, globalThis.Event.stopPropagation
  requestAnimationFrame((time) => time.toFixed(1));
  // ^ calls: globalThis.requestAnimationFrame, outside_callbacks.listen.<lambda3>, globalThis.Number.toFixed
  items.forEach((item, at) => {
    // ^ calls: globalThis.Array.forEach, outside_callbacks.listen.<lambda4>
    item.show();
    // ^ calls: outside_callbacks.Item.show
    at.toFixed(0);
    // ^ calls: globalThis.Number.toFixed
  });
  JSON.parse("[]", (key, value) => key.trim());
  // ^ calls: globalThis.JSON.parse, globalThis.String.trim
  somewhere((given) => given.show());
  // ^ calls: outside.somewhere
  // ^ unresolved: unknown receiver
}
