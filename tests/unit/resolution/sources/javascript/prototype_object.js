function Stack() {}
Stack.prototype = {
  push() {
    this.grow();
    // ^ calls: prototype_object.Stack.grow
  },
  grow() {},
};
new Stack().push();
// ^ calls: prototype_object.Stack, prototype_object.Stack.push
