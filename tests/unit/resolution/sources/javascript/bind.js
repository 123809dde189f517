function f() {}
class Button {
  constructor() {
    this.onClick = this.onClick.bind(this);
    this.later = run.bind(null, f);
  }
  onClick() {
    this.draw();
    // ^ calls: bind.Button.draw
  }
  draw() {}
}
function run(callback) {
  callback();
  // ^ calls: bind.f
}
const button = new Button();
// ^ calls: bind.Button, bind.Button.constructor
button.onClick();
// ^ calls: bind.Button.onClick
button.later();
// ^ calls: bind.run
