interface Product {
  use(): void;
}
abstract class Factory {
  abstract make(): Product;
}
class Real implements Product {
  use() {}
}
class RealFactory extends Factory {
  make() {
    return new Real();
    // ^ calls: abstract_factory.Real
  }
}
function run(factory: Factory) {
  factory.make().use();
  // ^ calls: abstract_factory.Factory.make, abstract_factory.RealFactory.make, abstract_factory.Product.use, abstract_factory.Real.use
}
