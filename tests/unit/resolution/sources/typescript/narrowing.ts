class Circle {
  radius() {}
}
class Square {
  side() {}
}
function area(shape: Circle | Square) {
  if (shape instanceof Circle) {
    return shape.radius();
    // ^ calls: narrowing.Circle.radius
  }
  return shape.side();
  // ^ calls: narrowing.Square.side
}
