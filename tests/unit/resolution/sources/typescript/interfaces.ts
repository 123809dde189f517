interface Shape {
  area(): number;
}
class Circle implements Shape {
  area() {
    return 1;
  }
}
class Square implements Shape {
  area() {
    return 2;
  }
}
function total(shapes: Shape[]) {
  for (const shape of shapes) shape.area();
  // ^ calls: interfaces.Shape.area, interfaces.Circle.area, interfaces.Square.area
}
