class Item {
  show() {}
}
type Visit = (item: Item) => void;
const visit: Visit = (item) => item.show();
// ^ calls: contextual_places.Item.show
function make(): Visit {
  return (item) => item.show();
  // ^ calls: contextual_places.Item.show
}
const maker: () => Visit = () => (item) => item.show();
// ^ calls: contextual_places.Item.show
class Tree {
  visit: Visit = (item) => item.show();
  // ^ calls: contextual_places.Item.show
  constructor(visit: Visit) {}
  walk(visit: Visit) {}
}
new Tree((item) => item.show()).walk((item) => item.show());
// ^ calls: contextual_places.Tree, contextual_places.Tree.constructor, contextual_places.Tree.walk, contextual_places.Item.show
function defaulted(visit: Visit = (item) => item.show()) {}
// ^ calls: contextual_places.Item.show
