const tool = {
  open() {
    return this.name();
    // ^ calls: object_methods.name
  },
  name: function () {},
  close: () => {},
  ["stop"]() {},
};
tool.open();
// ^ calls: object_methods.open
tool.close();
// ^ calls: object_methods.close
tool["stop"]();
// ^ calls: object_methods.stop
