module.exports = class Other {
  turn() {}
};
