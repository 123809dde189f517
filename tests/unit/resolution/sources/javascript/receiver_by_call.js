function whoAmI() {
  return this.name();
  // ^ calls: receiver_by_call.one.name, receiver_by_call.two.name
}
const one = { name() {} };
const two = { name() {} };
one.ask = whoAmI;
one.ask();
// ^ calls: receiver_by_call.whoAmI
whoAmI.call(two);
// ^ calls: receiver_by_call.whoAmI
