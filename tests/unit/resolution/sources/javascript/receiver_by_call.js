function whoAmI() {
  return this.name();
  // ^ calls: receiver_by_call.name, receiver_by_call.name#2
}
const one = { name() {} };
const two = { name() {} };
one.ask = whoAmI;
one.ask();
// ^ calls: receiver_by_call.whoAmI
whoAmI.call(two);
// ^ calls: receiver_by_call.whoAmI
