const lib = require("./lib");
const { one } = require("./lib");
// ^ uses: lib.one
const Whole = require("./whole");
// ^ uses: whole.Whole
const { renamed, start } = require("./table");
// ^ uses: table.begin, table.start
const second = require("./lib").two;
// ^ uses: lib.two
lib.one();
// ^ calls: lib.one
one();
// ^ calls: lib.one
// ^ uses: main.one
lib.two();
// ^ calls: lib.two
new Whole().run();
// ^ calls: whole.Whole, whole.Whole.run
require("fs").readFileSync("x");
// ^ calls: fs.readFileSync
