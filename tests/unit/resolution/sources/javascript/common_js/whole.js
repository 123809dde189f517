class Whole {
  run() {}
}
module.exports = Whole;
