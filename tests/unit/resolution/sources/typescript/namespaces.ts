namespace Shapes.Flat {
  export class Circle {
    draw() {}
  }
  export function make(): Circle {
    return new Circle();
    // ^ calls: namespaces.Shapes.Flat.Circle
  }
}
Shapes.Flat.make().draw();
// ^ calls: namespaces.Shapes.Flat.make, namespaces.Shapes.Flat.Circle.draw
function use(circle: Shapes.Flat.Circle) {
  circle.draw();
  // ^ calls: namespaces.Shapes.Flat.Circle.draw
}
