class Circle {
  draw() {}
  /** @returns {Circle} */
  copy() {
    return make();
    // ^ unresolved: unknown name
  }
}
class Square {
  draw() {}
}
/**
 * @param {Circle} circle
 * @param {Square=} square
 * @param {Array<Circle>} circles
 * @param {...Square} rest
 */
function show(circle, square, circles, rest) {
  circle.draw();
  // ^ calls: documented_types.Circle.draw
  square.draw();
  // ^ calls: documented_types.Square.draw
  circles[0].draw();
  // ^ calls: documented_types.Circle.draw
  circle.copy().draw();
  // ^ calls: documented_types.Circle.copy, documented_types.Circle.draw
}
/** @type {Circle | null} */
let current = null;
current.draw();
// ^ calls: documented_types.Circle.draw
const cast = /** @type {Square} */ (unknown());
// ^ unresolved: unknown name
cast.draw();
// ^ calls: documented_types.Square.draw
/** @type {Circle} */ (somewhere).draw();
// ^ calls: documented_types.Circle.draw
const held = [/** @type {Square} */ (somewhere.else).draw()];
// ^ calls: documented_types.Square.draw
class Holder {
  constructor() {
    /** @type {Map<string, Circle>} */
    this.byName = load();
    // ^ unresolved: unknown name
  }
  run() {
    this.byName.get("a").draw();
    // ^ calls: documented_types.Circle.draw, globalThis.Map.get
  }
}
const table = {
  /** @param {Square} one */
  go: (one) => one.draw(),
  // ^ calls: documented_types.Square.draw
};
/** @param {Promise<Circle>} later */
exports.wait = async function (later) {
  (await later).draw();
  // ^ calls: documented_types.Circle.draw
};
/** @param {(one: Circle) => void} callback */
function each(callback) {
  callback(new Square());
  // ^ calls: documented_types.Square
  // ^ unresolved: unknown value
}
