const tool = {
  open() {
    return this.name();
    // ^ calls: object_methods.tool.name
  },
  name: function () {},
  close: () => {},
  ["stop"]() {},
};
tool.open();
// ^ calls: object_methods.tool.open
tool.close();
// ^ calls: object_methods.tool.close
tool["stop"]();
// ^ calls: object_methods.tool.stop
