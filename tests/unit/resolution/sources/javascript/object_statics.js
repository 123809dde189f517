const table = { own() {} };

function use() {
  table.own();
  // ^ calls: object_statics.table.own
  table.freeze();
  // ^ unresolved: dynamic attribute
  table.assign({});
  // ^ unresolved: dynamic attribute
  table.hasOwnProperty("own");
  // ^ calls: globalThis.Object.hasOwnProperty
  Object.assign({}, table);
  // ^ calls: globalThis.Object.assign
}
