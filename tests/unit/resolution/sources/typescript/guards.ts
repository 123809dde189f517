class Circle {
  area() {}
}
class Square {
  area() {}
}
class Disc extends Circle {
  spin() {}
}
type Shape = Circle | Square;
function isCircle(v: unknown): v is Circle {
  return v instanceof Circle;
}
const isSquare = (v: any): v is Square => v instanceof Square;
declare function isDisc(v: Circle): v is Disc;
declare function isReady(v: unknown): boolean;
function unknown(v: unknown) {
  if (isCircle(v)) v.area();
  // ^ calls: guards.isCircle, guards.Circle.area
}
function branches(shape: Shape) {
  if (isCircle(shape)) {
    // ^ calls: guards.isCircle
    shape.area();
    // ^ calls: guards.Circle.area
  } else {
    shape.area();
    // ^ calls: guards.Square.area
  }
}
function leaves(shape: Shape) {
  if (!isSquare(shape)) {
    // ^ calls: guards.isSquare
    shape.area();
    // ^ calls: guards.Circle.area
    return;
  }
  shape.area();
  // ^ calls: guards.Square.area
}
function otherwise(shape: Shape) {
  if (isCircle(shape)) {
    // ^ calls: guards.isCircle
    shape.area();
    // ^ calls: guards.Circle.area
  } else {
    throw new Error();
    // ^ calls: globalThis.Error
  }
  shape.area();
  // ^ calls: guards.Circle.area
}
function operators(shape: Shape, other: Shape) {
  isCircle(shape) && shape.area();
  // ^ calls: guards.isCircle, guards.Circle.area
  !isCircle(shape) || shape.area();
  // ^ calls: guards.isCircle, guards.Circle.area
  isCircle(shape) ? shape.area() : shape.area();
  // ^ calls: guards.isCircle, guards.Circle.area, guards.Square.area
  if (isCircle(shape) && isSquare(other)) {
    // ^ calls: guards.isCircle, guards.isSquare
    shape.area();
    // ^ calls: guards.Circle.area
    other.area();
    // ^ calls: guards.Square.area
  }
}
function below(circle: Circle) {
  if (isDisc(circle)) circle.spin();
  // ^ calls: guards.isDisc, guards.Disc.spin
}
function loops(shape: Shape) {
  while (isCircle(shape)) {
    // ^ calls: guards.isCircle
    shape.area();
    // ^ calls: guards.Circle.area
    shape = new Square();
    // ^ calls: guards.Square
  }
}
function assigned(shape: any) {
  if (isCircle(shape)) {
    // ^ calls: guards.isCircle
    shape = new Square();
    // ^ calls: guards.Square
    shape.area();
    // ^ calls: guards.Square.area
  }
}
function noGuard(circle: Circle) {
  if (isReady(circle)) circle.area();
  // ^ calls: guards.isReady, guards.Circle.area
}
