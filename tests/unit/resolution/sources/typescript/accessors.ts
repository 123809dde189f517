class Engine {
  start() {}
}
class Car {
  get engine(): Engine {
    return new Engine();
    // ^ calls: accessors.Engine
  }
}
function drive(car: Car) {
  car.engine.start();
  // ^ calls: accessors.Car.engine, accessors.Engine.start
}
