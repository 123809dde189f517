const util = require("util");
function Base() {}
Base.prototype.shared = function () {};
function Sub() {}
util.inherits(Sub, Base);
// ^ calls: util.inherits
new Sub().shared();
// ^ calls: inherits.Sub, inherits.Base.shared
