class Circle {
  draw() {}
}
class Square {
  draw() {}
}
function paint(shape) {
  if (shape instanceof Circle) {
    shape.draw();
    // ^ calls: instanceof.Circle.draw
    return;
  }
  shape.draw();
  // ^ calls: instanceof.Square.draw
}
paint(new Circle());
// ^ calls: instanceof.paint, instanceof.Circle
paint(new Square());
// ^ calls: instanceof.paint, instanceof.Square
