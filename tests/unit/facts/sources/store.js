export default class Store extends Base {
  constructor() { super(); this.turn = function () {}; }
  get size() { return 1; }
  static of() { return class Local { deep() {} }; }
  handle = (event) => { event.stop(); };
  async *each() {}
  #secret() {}
}
function outer() {
  function inner() { return function named() {}; }
  const arrow = () => inner();
}
function* generate() {}
const table = {
  method() {},
  pair: function () {},
  arrow: async () => {},
  'quoted name': function () {},
  nested: { deep() {} },
};
module.exports = { exported: function () {} };
exports.other = function other() {};
Store.prototype.go = function () {};
const Anonymous = class { run() {} };
items.map((item) => item.name);
