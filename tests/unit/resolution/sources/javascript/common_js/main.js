const lib = require("./lib");
const { one } = require("./lib");
const Whole = require("./whole");
lib.one();
// ^ calls: lib.one
one();
// ^ calls: lib.one
lib.two();
// ^ calls: lib.two
new Whole().run();
// ^ calls: whole.Whole, whole.Whole.run
require("fs").readFileSync("x");
// ^ calls: fs.readFileSync
