exports.one = function () {};
module.exports.two = two;
function two() {}
