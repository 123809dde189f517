class Cat {
  speak() {}
}
class Dog {
  speak() {}
}
function talk(pet: Cat | Dog | null) {
  pet!.speak();
  // ^ calls: unions.Cat.speak, unions.Dog.speak
}
