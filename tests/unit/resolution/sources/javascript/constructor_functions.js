function Animal(name) {
  this.name = name;
  this.init();
  // ^ calls: constructor_functions.Animal.init
}
Animal.prototype.init = function () {};
Animal.prototype.speak = function () {
  return this.sound();
  // ^ calls: constructor_functions.Animal.sound
};
Animal.prototype.sound = function () {};
const animal = new Animal("x");
// ^ calls: constructor_functions.Animal
animal.speak();
// ^ calls: constructor_functions.Animal.speak
