namespace Shapes.Flat {
  export class Circle {
    draw() {}
  }
  export function make(): Circle {
    return new Circle();
    // ^ calls: namespaces.Circle
  }
}
Shapes.Flat.make().draw();
// ^ calls: namespaces.make, namespaces.Circle.draw
function use(circle: Shapes.Flat.Circle) {
  circle.draw();
  // ^ calls: namespaces.Circle.draw
}
